import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../adapters/git/remove-folder.ts';

interface PlainFolders {
  make(name: string): Promise<string>;
  remove(folder: string): Promise<void>;
}

/** Gives each run a folder under `root`, and removes it without following links that an agent left. */
export function createFolders(root: string, { path }: { readonly path: string }): PlainFolders {
  return {
    async make(run) {
      const folder = join(root, run);
      await removeFolder({ path }, { folder, within: root });
      await mkdir(join(folder, 'cell'), { recursive: true, mode: 0o700 });
      return folder;
    },
    remove: async (folder) => {
      await removeFolder({ path }, { folder, within: root });
    },
  };
}

/** A temporary folder, because socket paths are limited to 107 characters and data folders may be deep. */
export async function socketFolder(): Promise<{
  readonly folder: string;
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'gh-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
