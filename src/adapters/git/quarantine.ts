import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RepositoryFailed, type UnusableWork } from '../../ports/workspace.ts';
import type { Bundle } from './create-bundle.ts';
import type { FileLock } from './file-lock.ts';
import type { Git, GitResult } from './run-git.ts';

/** A repository of one run, in which the host inspects what came out of the cell. */
export interface Quarantine {
  readonly git: Git;
  readonly dir: string;
  readonly lock: FileLock;
}

/** The agent's HEAD, and the host's rewritten one. */
const AGENT_REF = 'refs/hall/agent';
export const REWRITTEN_REF = 'refs/hall/made';

/** Starts with only the objects that the mirror lends. */
export async function makeQuarantine(
  { git, dir, lock }: Quarantine,
  mirror: string,
): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  const args = ['init', '--quiet', '--bare', '--template=', '--end-of-options', dir];
  await git.run({ dir, args, doing: 'creating a quarantine', lock });
  writeFileSync(join(dir, 'objects/info/alternates'), `${join(mirror, 'objects')}\n`);
}

/**
 * Checks every object; none may be missing. Any fault is the agent's.
 *
 * Before git 2.46, `git fetch` from a bundle checks only object names, whatever `transfer.fsckObjects`
 * says, so the pack is taken out of the bundle and read by itself.
 */
export async function importObjects(
  { git, dir, lock }: Quarantine,
  { file, packAt, head }: Bundle,
  known: readonly string[],
): Promise<UnusableWork | undefined> {
  const strict = STRICT.map((fault) => `${fault}=error`).join(',');
  const calls = [
    {
      args: ['index-pack', '--threads=1', '--stdin', '--fix-thin', `--strict=${strict}`],
      stdin: createReadStream(file, { start: packAt }),
    },
    {
      args: ['rev-list', '--objects', '--quiet', '--stdin'],
      stdin: `${[head, ...known.map((each) => `^${each}`)].join('\n')}\n`,
    },
  ];
  for (const call of calls) {
    const doing = 'importing objects into the quarantine';
    const result = await git.exec({ dir, lock, doing, env: ALLOCATION_LIMIT, ...call });
    if (isHostFault(result)) throw new RepositoryFailed(`${doing}: ${errorLines(result)}`);
    if (result.code !== 0) {
      return { is: 'unusable', because: `its objects were refused: ${errorLines(result)}` };
    }
  }
  await git.run({
    dir,
    lock,
    doing: 'naming the received commit',
    args: ['update-ref', AGENT_REF, head],
  });
  return undefined;
}

/** A few bytes of a pack can demand gigabytes of memory. */
const ALLOCATION_LIMIT = { GIT_ALLOC_LIMIT: '512m' };

/** Git only warns about some of these. */
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
  'gitmodulesParse',
  'nulInCommit',
];

function isHostFault({ code, stderr }: GitResult): boolean {
  return (
    code !== 0 && /No space left|Disk quota|Read-only file system|Input\/output error/.test(stderr)
  );
}

function errorLines({ stderr }: GitResult): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => /^(error|fatal)/.test(line));
  return lines.slice(-3).join('; ').slice(0, 400) || stderr.trim().slice(-200);
}
