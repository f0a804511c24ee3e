import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { RepositoryFailed } from '../../ports/workspace.ts';

const run = promisify(execFile);

interface Needs {
  readonly path: string;
}

/**
 * Removes a folder that an agent filled. rm(1) walks by descriptors and follows no link, so it copes
 * with names that are not text, trees deeper than a path can be and folders without permissions. Node
 * would have to spell each path.
 */
export async function removeFolder(
  { path }: Needs,
  { folder, within }: { readonly folder: string; readonly within: string },
): Promise<void> {
  const target = resolve(folder);
  const relativePath = relative(resolve(within), target);
  if (relativePath === '' || relativePath.startsWith('..') || relativePath.startsWith('/')) {
    throw new RepositoryFailed(`${target} is not removed: it is not in ${within}`);
  }
  const call = { env: { PATH: path, LC_ALL: 'C' }, cwd: dirname(resolve(within)) };
  const remove = () => run('rm', ['-rf', '--', target], call);
  try {
    await remove();
  } catch (error) {
    if (!exists(target)) return;
    await makeRemovable(target, call);
    await remove().catch((secondError: unknown) => {
      throw new RepositoryFailed(`${target} could not be removed: ${String(secondError)}`, {
        cause: error,
      });
    });
  }
}

/** An owner can always restore permissions; links on the way are left alone. */
async function makeRemovable(target: string, call: { readonly env: object; readonly cwd: string }) {
  if (lstatSync(target).isSymbolicLink()) return;
  await run('chmod', ['-R', '--', 'u+rwx', target], { ...call, env: { ...call.env } });
}

function exists(target: string): boolean {
  return lstatSync(target, { throwIfNoEntry: false }) !== undefined;
}

/** Bytes on disk, as far as permissions allow counting; links are not followed. */
export async function bytesIn({ path }: Needs, folder: string): Promise<number> {
  if (!exists(folder)) return 0;
  const env = { PATH: path, LC_ALL: 'C' };
  const counted = run('du', ['-skx', '--', resolve(folder)], { env });
  // An unreadable folder makes du exit with 1, but it still prints what it counted.
  const { stdout } = await counted.catch((error: unknown) => error as { stdout?: string });
  return Number(/^\d+/.exec(stdout ?? '')?.[0] ?? 0) * 1024;
}
