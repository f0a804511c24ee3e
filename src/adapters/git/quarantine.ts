import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RepositoryFailed, type Spoilt } from '../../ports/workspace.ts';
import type { FileLock } from './file-lock.ts';
import { FETCH } from './mirror.ts';
import type { Git, GitAnswer } from './run-git.ts';

/** A repository of one run, in which what came out of its cell is looked at. */
export interface Quarantine {
  readonly git: Git;
  readonly dir: string;
  readonly lock: FileLock;
}

/** What the agent's HEAD was, and what the host made of it. */
export const AGENT_REF = 'refs/hall/agent';
export const MADE_REF = 'refs/hall/made';

/** Begins with nothing but what the mirror lends. */
export async function makeQuarantine(
  { git, dir, lock }: Quarantine,
  mirror: string,
): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  const args = ['init', '--quiet', '--bare', '--template=', '--end-of-options', dir];
  await git.run({ dir, args, doing: 'making a quarantine', lock });
  writeFileSync(join(dir, 'objects/info/alternates'), `${join(mirror, 'objects')}\n`);
}

/** Every object is checked, and none may be missing. What is wrong with it is the agent's. */
export async function fetchBundle(
  { git, dir, lock }: Quarantine,
  file: string,
): Promise<Spoilt | undefined> {
  const call = {
    dir,
    lock,
    doing: 'taking a bundle into quarantine',
    remote: { url: file, protocol: 'file', credential: null },
    config: STRICT.map((fault) => `fetch.fsck.${fault}=error`),
    args: [...FETCH, '--quiet', '--', file, `+HEAD:${AGENT_REF}`],
  } as const;
  const answer = await git.ask(call);
  if (answer.code === 0) return undefined;
  if (isOurs(answer)) throw new RepositoryFailed(`${call.doing}: ${wordsOf(answer)}`);
  return { is: 'spoilt', because: `its objects were refused: ${wordsOf(answer)}` };
}

/** Git only warns of these. */
const STRICT = [
  'badFilemode',
  'zeroPaddedFilemode',
  'emptyName',
  'fullPathname',
  'hasDot',
  'hasDotdot',
  'hasDotgit',
  'nullSha1',
  'gitmodulesSymlink',
  'gitattributesSymlink',
  'nulInCommit',
];

function isOurs({ said }: GitAnswer): boolean {
  return /No space left|Disk quota|Read-only file system|Input\/output error/.test(said);
}

function wordsOf({ said }: GitAnswer): string {
  const lines = said.split(/[\r\n]+/).filter((line) => /^(error|fatal)/.test(line));
  return lines.slice(-3).join('; ').slice(0, 400) || said.trim().slice(-200);
}
