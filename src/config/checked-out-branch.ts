import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The branch that is checked out in a local repository; git refuses to push to it. Undefined for a
 * bare repository and for one that is not on this machine.
 */
export function checkedOutBranch(repository: string): string | undefined {
  const git = join(repository, '.git');
  if (!existsSync(git)) return undefined;
  const head = join(folderOf(repository, git), 'HEAD');
  if (!existsSync(head)) return undefined;
  return /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(head, 'utf8'))?.[1];
}

/** In a linked work tree, `.git` is a file with the path of the folder. */
function folderOf(repository: string, git: string): string {
  if (statSync(git).isDirectory()) return git;
  const linked = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1];
  return linked === undefined ? git : resolve(repository, linked);
}
