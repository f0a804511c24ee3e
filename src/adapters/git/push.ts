import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Pushed, RepositoryFailed, type Work } from '../../ports/workspace.ts';
import { type FileLock, lockExclusively } from './file-lock.ts';
import { type GitFolders, runFolder } from './folders.ts';
import { quarantineIn } from './harvest.ts';
import { FETCH_ARGUMENTS, lockMirror, type MirrorRepository } from './mirror.ts';
import { REWRITTEN_REF } from './quarantine.ts';
import { checkedCommit, isBranchName, refOf } from './ref-names.ts';
import type { Remote } from './remote.ts';
import { RESCUE_REFS, recordRescueTime } from './rescue-refs.ts';
import { failureOf, type Git } from './run-git.ts';
import { type Fate, readRecord, writeRecord } from './run-record.ts';

interface PushNeeds {
  readonly git: Git;
  readonly path: string;
  readonly folders: GitFolders;
}

interface PushTarget {
  readonly branch: string;
  /** The branch's present commit; null when the branch may not exist. */
  readonly expected: string | null;
}

/** Pushes work only to the branch of its thread, and only while that branch has not moved. */
export async function pushWork(
  needs: PushNeeds,
  mirror: MirrorRepository,
  { work, to }: { readonly work: Work; readonly to: PushTarget },
): Promise<Pushed> {
  if (!isBranchName(to.branch))
    return refused(`${JSON.stringify(to.branch)} is not a valid branch name`);
  if (to.branch === mirror.defaultBranch) {
    return refused(`${to.branch} is the base branch; work is merged into it, never pushed to it`);
  }
  const folder = runFolder(needs.folders, work.run);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  using lock = await lockExclusively(needs, join(folder, 'lock'));
  const dir = existsSync(quarantineIn(folder)) ? quarantineIn(folder) : mirror.dir;
  const from = { git: needs.git, dir, lock };
  const pushed = await pushCommit(from, mirror.remote, { ...to, commit: work.commit });
  if (pushed.is !== 'pushed') return pushed;
  await importIntoMirror(needs, mirror, { folder, ref: refOf(to.branch), commit: work.commit });
  await recordFate(folder, 'pushed');
  return pushed;
}

/** Keeps work that will not be pushed under a ref in the mirror. */
export async function rescueWork(
  needs: PushNeeds,
  mirror: Pick<MirrorRepository, 'dir'>,
  work: Work,
): Promise<string> {
  const folder = runFolder(needs.folders, work.run);
  const ref = `${RESCUE_REFS}${work.run}`;
  if (!existsSync(quarantineIn(folder))) {
    throw new RepositoryFailed(`the work of run ${work.run} is no longer on this machine`);
  }
  using _lock = await lockExclusively(needs, join(folder, 'lock'));
  await importIntoMirror(needs, mirror, { folder, ref, commit: work.commit });
  recordRescueTime(mirror.dir, work.run);
  await recordFate(folder, 'rescued');
  return ref;
}

interface PushSource {
  readonly git: Git;
  readonly dir: string;
  readonly lock: FileLock;
}

/** Compare and swap on a branch; the outcome is read from the repository. */
export async function pushCommit(
  { git, dir, lock }: PushSource,
  remote: Remote,
  { branch, expected, commit }: PushTarget & { readonly commit: string },
): Promise<Pushed> {
  const ref = refOf(branch);
  const lease = expected === null ? '' : checkedCommit(expected);
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
      `${checkedCommit(commit)}:${ref}`,
    ],
  } as const;
  const result = await git.exec(call);
  const line = new RegExp(`^([ +*=!-])\t[0-9a-f]*:${ref.replaceAll('.', '\\.')}\t(.*)$`, 'm');
  const [, flag, summary = ''] = line.exec(result.stdout.toString('utf8')) ?? [];
  if (result.code === 0 && flag !== undefined && flag !== '!') return { is: 'pushed', commit };
  if (flag === undefined) throw failureOf(call, result);
  const at = await remoteTip({ git, dir }, remote, ref);
  if (at === commit) return { is: 'pushed', commit };
  return at === expected
    ? refused(`${summary}${remoteMessage(result.stderr, summary)}`)
    : { is: 'moved', at };
}

async function remoteTip(
  { git, dir }: Pick<PushSource, 'git' | 'dir'>,
  remote: Remote,
  ref: string,
): Promise<string | null> {
  const args = ['ls-remote', '--', remote.url, ref];
  const output = await git.text({ dir, remote, doing: `asking ${remote.url} for ${ref}`, args });
  return (
    new RegExp(`^([0-9a-f]{40})\t${ref.replaceAll('.', '\\.')}$`, 'm').exec(output)?.[1] ?? null
  );
}

/** For a clone with that branch checked out, replaces the advice of git to turn its guard off. */
function remoteMessage(output: string, summary: string): string {
  if (summary.includes(CHECKED_OUT)) return ': check out another branch there, or use a bare clone';
  const lines = output.split('\n').filter((line) => /^remote: (?!error:)/.test(line));
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

/** Fetches from the quarantine, which only the host writes; only rewritten commits are reachable there. */
async function importIntoMirror(
  { git, path }: PushNeeds,
  { dir }: Pick<MirrorRepository, 'dir'>,
  {
    folder,
    ref,
    commit,
  }: { readonly folder: string; readonly ref: string; readonly commit: string },
): Promise<void> {
  using lock = await lockMirror({ path }, dir);
  const doing = `storing ${commit} in the mirror`;
  const quarantine = quarantineIn(folder);
  if (existsSync(quarantine)) {
    const remote = { url: quarantine, protocol: 'file', credential: null } as const;
    await git.run({
      dir: quarantine,
      doing,
      args: ['update-ref', REWRITTEN_REF, checkedCommit(commit)],
    });
    const args = [...FETCH_ARGUMENTS, '--quiet', '--', quarantine, `+${REWRITTEN_REF}:${ref}`];
    await git.run({ dir, lock, doing, remote, args });
  } else {
    await git.run({ dir, lock, doing, args: ['update-ref', ref, checkedCommit(commit)] });
  }
}

async function recordFate(folder: string, fate: Fate): Promise<void> {
  const record = readRecord(folder);
  if (record) await writeRecord(folder, { ...record, fate, at: Date.now() });
}
