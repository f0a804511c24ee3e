import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The branch that somebody has before them in a repository on this disk: git lets nobody else move it.
 * Undefined of a bare repository, and of one that cannot be seen from here.
 */
export function checkedOutBranch(repository: string): string | undefined {
  const git = join(repository, '.git');
  if (!existsSync(git)) return undefined;
  const head = join(folderOf(repository, git), 'HEAD');
  if (!existsSync(head)) return undefined;
  return /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(head, 'utf8'))?.[1];
}

/** In a linked work tree the name leads to the folder. */
function folderOf(repository: string, git: string): string {
  if (statSync(git).isDirectory()) return git;
  const linked = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1];
  return linked === undefined ? git : resolve(repository, linked);
}
