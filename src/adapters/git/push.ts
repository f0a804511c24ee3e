import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Pushed, RepositoryFailed, type Work } from '../../ports/workspace.ts';
import { type FileLock, lockAlone } from './file-lock.ts';
import { quarantineIn } from './harvest.ts';
import { FETCH, lockMirror, type MirrorPlace } from './mirror.ts';
import { commitOf, isBranchName, refOf } from './names.ts';
import { type Places, runFolder } from './places.ts';
import { MADE_REF } from './quarantine.ts';
import type { Remote } from './remote.ts';
import { noteRescue, RESCUED } from './rescued.ts';
import { failureOf, type Git } from './run-git.ts';
import { type Fate, readRecord, writeRecord } from './run-record.ts';

interface PushNeeds {
  readonly git: Git;
  readonly path: string;
  readonly places: Places;
}

interface Target {
  readonly branch: string;
  /** Where the branch is now; null when it may not exist. */
  readonly expected: string | null;
}

/** Work may only reach the branch of its thread, and only while that is where it was. */
export async function pushWork(
  needs: PushNeeds,
  mirror: MirrorPlace,
  { work, to }: { readonly work: Work; readonly to: Target },
): Promise<Pushed> {
  if (!isBranchName(to.branch))
    return refused(`${JSON.stringify(to.branch)} is no name for a branch`);
  if (to.branch === mirror.defaultBranch) {
    return refused(`${to.branch} is where work lands, and not where it is pushed`);
  }
  const folder = runFolder(needs.places, work.run);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  using lock = await lockAlone(needs, join(folder, 'lock'));
  const dir = existsSync(quarantineIn(folder)) ? quarantineIn(folder) : mirror.dir;
  const from = { git: needs.git, dir, lock };
  const pushed = await pushCommit(from, mirror.remote, { ...to, commit: work.commit });
  if (pushed.is !== 'pushed') return pushed;
  await takeIntoMirror(needs, mirror, { folder, ref: refOf(to.branch), commit: work.commit });
  settle(folder, 'pushed');
  return pushed;
}

/** A name under which the mirror keeps work that will not be pushed. */
export async function rescueWork(
  needs: PushNeeds,
  mirror: Pick<MirrorPlace, 'dir'>,
  work: Work,
): Promise<string> {
  const folder = runFolder(needs.places, work.run);
  const ref = `${RESCUED}${work.run}`;
  if (!existsSync(quarantineIn(folder))) {
    throw new RepositoryFailed(`the work of run ${work.run} is not here any more`);
  }
  using _lock = await lockAlone(needs, join(folder, 'lock'));
  await takeIntoMirror(needs, mirror, { folder, ref, commit: work.commit });
  noteRescue(mirror.dir, work.run);
  settle(folder, 'rescued');
  return ref;
}

interface From {
  readonly git: Git;
  readonly dir: string;
  readonly lock: FileLock;
}

/** Compare and swap on a branch of the repository; what happened is read from the repository. */
export async function pushCommit(
  { git, dir, lock }: From,
  remote: Remote,
  { branch, expected, commit }: Target & { readonly commit: string },
): Promise<Pushed> {
  const ref = refOf(branch);
  const lease = expected === null ? '' : commitOf(expected);
  const call = {
    dir,
    remote,
    lock,
    doing: `pushing ${branch} to ${remote.url}`,
    seconds: 1800,
    args: [
      'push',
      '--porcelain',
      '--atomic',
      '--no-verify',
      '--no-follow-tags',
      '--no-signed',
      `--force-with-lease=${ref}:${lease}`,
      '--',
      remote.url,
      `${commitOf(commit)}:${ref}`,
    ],
  } as const;
  const answer = await git.ask(call);
  const line = new RegExp(`^([ +*=!-])\t[0-9a-f]*:${ref.replaceAll('.', '\\.')}\t(.*)$`, 'm');
  const [, sign, words = ''] = line.exec(answer.out.toString('utf8')) ?? [];
  if (answer.code === 0 && sign !== undefined && sign !== '!') return { is: 'pushed', commit };
  if (sign === undefined) throw failureOf(call, answer);
  const at = await whereIs({ git, dir }, remote, ref);
  if (at === commit) return { is: 'pushed', commit };
  return at === expected ? refused(`${words}${toldBy(answer.said, words)}`) : { is: 'moved', at };
}

async function whereIs(
  { git, dir }: Pick<From, 'git' | 'dir'>,
  remote: Remote,
  ref: string,
): Promise<string | null> {
  const args = ['ls-remote', '--', remote.url, ref];
  const said = await git.text({ dir, remote, doing: `asking ${remote.url} for ${ref}`, args });
  return new RegExp(`^([0-9a-f]{40})\t${ref.replaceAll('.', '\\.')}$`, 'm').exec(said)?.[1] ?? null;
}

/** Of a clone that somebody works in, git advises to switch its guard off. */
function toldBy(said: string, words: string): string {
  if (words.includes(CHECKED_OUT)) return ': check out another branch there, or name a bare clone';
  const lines = said.split('\n').filter((line) => /^remote: (?!error:)/.test(line));
  return lines.length === 0
    ? ''
    : `: ${lines
        .map((line) => line.slice(8).trim())
        .join(' ')
        .slice(0, 500)}`;
}

const CHECKED_OUT = 'branch is currently checked out';

function refused(because: string): Pushed {
  return { is: 'refused', because };
}

/** From the quarantine, which only the host writes; only what was made anew is reachable there. */
async function takeIntoMirror(
  { git, path }: PushNeeds,
  { dir }: Pick<MirrorPlace, 'dir'>,
  {
    folder,
    ref,
    commit,
  }: { readonly folder: string; readonly ref: string; readonly commit: string },
): Promise<void> {
  using lock = await lockMirror({ path }, dir);
  const doing = `keeping ${commit} in the mirror`;
  const quarantine = quarantineIn(folder);
  if (existsSync(quarantine)) {
    const remote = { url: quarantine, protocol: 'file', credential: null } as const;
    await git.run({ dir: quarantine, doing, args: ['update-ref', MADE_REF, commitOf(commit)] });
    const args = [...FETCH, '--quiet', '--', quarantine, `+${MADE_REF}:${ref}`];
    await git.run({ dir, lock, doing, remote, args });
  } else {
    await git.run({ dir, lock, doing, args: ['update-ref', ref, commitOf(commit)] });
  }
}

function settle(folder: string, fate: Fate): void {
  const record = readRecord(folder);
  if (record) writeRecord(folder, { ...record, fate, at: Date.now() });
}
