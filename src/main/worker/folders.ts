import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../adapters/git/remove-folder.ts';

interface PlainFolders {
  make(name: string): Promise<string>;
  remove(folder: string): Promise<void>;
}

/** Each run has a folder under `root`; what an agent left in it is removed without following anything. */
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

/** Sockets have short names: their paths may be 107 characters long and data folders may be deep. */
export async function socketFolder(): Promise<{
  readonly folder: string;
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'gh-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
