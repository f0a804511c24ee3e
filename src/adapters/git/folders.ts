import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { checkedRun } from './ref-names.ts';

/** The layout of git's own folder. */
export interface GitFolders {
  readonly home: string;
  readonly mirrors: string;
  readonly runs: string;
}

export function gitFoldersUnder(root: string): GitFolders {
  return { home: join(root, 'home'), mirrors: join(root, 'mirrors'), runs: join(root, 'runs') };
}

/** URLs make bad folder names: they are long, hold any character, and may differ only by case. */
export function mirrorFolder({ mirrors }: GitFolders, url: string): string {
  return join(mirrors, `${createHash('sha256').update(url).digest('hex').slice(0, 24)}.git`);
}

export function runFolder({ runs }: GitFolders, run: string): string {
  return join(runs, checkedRun(run));
}
