import { isAncestor, readBranches, readCommits } from '../git/read-commits.ts';
import { type NewCommit, writeCommit } from '../git/write-commits.ts';
import { startCi } from './actions.ts';
import { EmulatorRefused } from './emulator-refused.ts';
import { NO_COMMIT, type Push } from './event.ts';
import { applyOpen } from './issues.ts';
import type { Caller, PullIssue, Repository } from './model.ts';
import { measurePull, openPullsFrom } from './pulls.ts';
import { dismissStaleReviews } from './reviews.ts';
import { actorOf, NEEDS, requireRight } from './rights.ts';
import { recordInTimeline } from './timeline.ts';
import type { World } from './world.ts';

interface By {
  readonly caller: Caller;
  readonly repository: Repository;
}

/** Somebody commits files to a branch, which is made from the default branch where it does not exist. */
export function pushFiles(
  world: World,
  { caller, repository }: By,
  plan: Pick<NewCommit, 'branch' | 'files' | 'message'> & { readonly from?: string },
): Promise<string> {
  requireRight(world, { caller, repository }, NEEDS.push);
  return world.inOrder(repository, async () => {
    const { branches, defaultBranch, dir } = repository;
    const tip = branches.get(plan.branch) ?? branches.get(defaultBranch) ?? null;
    const sha = await writeCommit(world.git, dir, {
      ...{ branch: plan.branch, files: plan.files, message: plan.message },
      ...{ from: plan.from ?? tip, by: actorOf(caller), at: world.now() },
    });
    await takePushes(world, { caller, repository });
    return sha;
  });
}

export function deleteBranch(
  world: World,
  { caller, repository }: By,
  branch: string,
): Promise<void> {
  requireRight(world, { caller, repository }, NEEDS.push);
  if (!repository.branches.has(branch)) throw new EmulatorRefused('not_found', branch);
  return world.inOrder(repository, () => dropBranch(world, { caller, repository }, branch));
}

export async function dropBranch(
  world: World,
  { caller, repository }: By,
  branch: string,
): Promise<void> {
  await world.git.run(repository.dir, ['update-ref', '-d', `refs/heads/${branch}`]);
  for (const issue of repository.issues.values()) {
    const { pull } = issue;
    if (!pull?.merged || pull.headBranch !== branch || pull.headRepository !== repository) continue;
    recordInTimeline(world, issue, { caller, entry: { is: 'head_ref_deleted' } });
  }
  await takePushes(world, { caller, repository });
}

/** Compares the branches that git has now with those that the forge knew; each difference is a push. */
export async function takePushes(world: World, { caller, repository }: By): Promise<void> {
  const before = repository.branches;
  repository.branches = await readBranches(world.git, repository.dir);
  for (const branch of new Set([...before.keys(), ...repository.branches.keys()])) {
    const moved = {
      branch,
      before: before.get(branch) ?? NO_COMMIT,
      after: repository.branches.get(branch) ?? NO_COMMIT,
    };
    if (moved.before !== moved.after) await takePush(world, { caller, repository }, moved);
  }
}

interface Moved {
  readonly branch: string;
  readonly before: string;
  readonly after: string;
}

async function takePush(world: World, { caller, repository }: By, moved: Moved): Promise<void> {
  const { branch, before, after } = moved;
  repository.pushedAt = world.now();
  const push = await describePush(world, repository, moved);
  for (const commit of push.commits) repository.commits.set(commit.sha, commit);
  world.emit({ is: 'pushed', repository, sender: actorOf(caller), push });
  for (const issue of openPullsFrom(world, repository, branch)) {
    await moveHead(world, { caller, issue: issue as PullIssue }, { before, after });
  }
  if (after === NO_COMMIT) return;
  for (const issue of repository.issues.values()) {
    if (issue.isOpen && issue.pull?.baseBranch === branch) {
      await moveBase(world, { caller, issue: issue as PullIssue }, after);
    }
  }
  world.background(startCi(world, repository, { branch, sha: after, actor: actorOf(caller) }));
}

async function moveHead(
  world: World,
  { caller, issue }: { readonly caller: Caller; readonly issue: PullIssue },
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  if (after === NO_COMMIT) {
    return applyOpen(world, { caller, issue }, { isOpen: false, closedAs: null });
  }
  await measurePull(world, issue, { headSha: after, baseSha: issue.pull.baseSha });
  issue.updatedAt = world.now();
  dismissStaleReviews(world, { caller, issue });
  const { repository } = issue;
  world.emit({ is: 'head_moved', repository, sender: actorOf(caller), issue, before });
}

async function moveBase(
  world: World,
  { caller, issue }: { readonly caller: Caller; readonly issue: PullIssue },
  baseSha: string,
): Promise<void> {
  const { pull, repository } = issue;
  const isIn = await isAncestor(world.git, repository.dir, pull.headSha, baseSha);
  if (isIn && world.rules.pushesMerge) {
    pull.merged = { at: world.now(), by: actorOf(caller), sha: baseSha };
    recordInTimeline(world, issue, { caller, entry: { is: 'merged', sha: baseSha } });
    return applyOpen(world, { caller, issue }, { isOpen: false, closedAs: null });
  }
  await measurePull(world, issue, { headSha: pull.headSha, baseSha });
}

const MOST_COMMITS = 20;

async function describePush(
  { git }: World,
  { dir, branches }: Repository,
  { branch, before, after }: Moved,
): Promise<Push> {
  const ref = `refs/heads/${branch}`;
  if (after === NO_COMMIT) return { ref, before, after, isForced: false, commits: [] };
  const others = [...branches.keys()].filter((name) => name !== branch);
  const known = before === NO_COMMIT ? others.map((name) => `refs/heads/${name}`) : [before];
  const range = [`--max-count=${MOST_COMMITS}`, after, ...known.map((name) => `^${name}`)];
  const isForced = !(await isAncestor(git, dir, before, after));
  return { ref, before, after, isForced, commits: await readCommits(git, dir, range) };
}
