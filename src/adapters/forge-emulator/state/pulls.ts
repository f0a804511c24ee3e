import { mergeBaseOf, readSize } from '../git/read-commits.ts';
import { EmulatorRefused } from './emulator-refused.ts';
import { addIssue, setOpen } from './issues.ts';
import { forgetMergeability, settleMergeability } from './mergeability.ts';
import type { Account, Caller, Issue, Pull, PullIssue, Repository } from './model.ts';
import { actorOf, includes, NEEDS, requireAuthorOr, requireRight, roleOf } from './rights.ts';
import { recordInTimeline } from './timeline.ts';
import { accountCalled, type World } from './world.ts';

interface NewPull {
  readonly title: string;
  readonly body: string;
  /** A branch, or `owner:branch` of a fork. */
  readonly head: string;
  readonly base: string;
  readonly isDraft: boolean;
}

export function openPull(
  world: World,
  { caller, repository }: { readonly caller: Caller; readonly repository: Repository },
  plan: NewPull,
): Promise<Issue> {
  const [headRepository, headBranch] = headOf(world, repository, plan.head);
  const isFork = headRepository !== repository;
  requireRight(world, { caller, repository }, isFork ? NEEDS.review : NEEDS.openPull);
  return world.inOrder(repository, async () => {
    const headSha = headRepository.branches.get(headBranch);
    const baseSha = repository.branches.get(plan.base);
    if (headSha === undefined) throw new EmulatorRefused('invalid', 'head');
    if (baseSha === undefined) throw new EmulatorRefused('invalid', 'base');
    const head = { repository: headRepository, branch: headBranch };
    refuseSecondPull(repository, head, plan.base);
    await takeHead(world, repository, { from: headRepository, sha: headSha });
    const measured = await measure(world, repository, { headSha, baseSha });
    if (measured.size.commits === 0) throw new EmulatorRefused('no_commits_between', plan.base);
    const pull: Pull = {
      ...{ id: world.nextId('pull'), headRepository, headBranch, headSha },
      ...{ baseBranch: plan.base, baseSha, isDraft: plan.isDraft, ...measured },
      ...{ merged: null, mergeability: 'unknown', requestedReviewers: [] },
      ...{ reviews: [], reviewComments: [], reviewRequests: new Map() },
    };
    const { title, body } = plan;
    const issue = addIssue(world, repository, { author: actorOf(caller), title, body, pull });
    await keepHead(world, issue);
    await settleMergeability(world, issue);
    const sender = issue.author;
    world.emit({ is: 'issue_changed', repository, sender, issue, action: 'opened' });
    return issue;
  });
}

export function pullNumbered(repository: Repository, number: number): PullIssue {
  const issue = repository.issues.get(number);
  if (!issue?.pull) throw new EmulatorRefused('not_found', `pull request #${number}`);
  return issue as PullIssue;
}

export function openPullsFrom(world: World, repository: Repository, branch: string): Issue[] {
  return world.repositories
    .flatMap(({ issues }) => [...issues.values()])
    .filter(({ isOpen, pull }) => isOpen && pull?.headRepository === repository)
    .filter(({ pull }) => pull?.headBranch === branch);
}

/** A pull request cannot be opened again without its branch, or beside another one of the same branch. */
export function setPullOpen(
  world: World,
  { caller, issue }: { readonly caller: Caller; readonly issue: PullIssue },
  isOpen: boolean,
): void {
  const { pull, repository } = issue;
  if (isOpen && !issue.isOpen) {
    if (pull.merged) throw new EmulatorRefused('merge_done_already');
    const { headRepository, headBranch, baseBranch } = pull;
    if (!headRepository.branches.has(headBranch))
      throw new EmulatorRefused('branch_is_gone', headBranch);
    const head = { repository: headRepository, branch: headBranch };
    refuseSecondPull(repository, head, baseBranch);
  }
  setOpen(world, { caller, issue }, { isOpen, closedAs: null });
}

export async function changeBase(
  world: World,
  { caller, issue }: { readonly caller: Caller; readonly issue: PullIssue },
  base: string,
): Promise<void> {
  const { pull, repository } = issue;
  requireAuthorOr(world, caller, issue);
  const baseSha = repository.branches.get(base);
  if (baseSha === undefined) throw new EmulatorRefused('invalid', 'base');
  if (pull.baseBranch === base) return;
  const from = { base: pull.baseBranch };
  pull.baseBranch = base;
  await measurePull(world, issue, { headSha: pull.headSha, baseSha });
  issue.updatedAt = world.now();
  world.emit({ is: 'edited', repository, sender: actorOf(caller), issue, from });
}

/** Takes new heads into the pull request: its size, its base and whether it can be merged follow. */
export async function measurePull(
  world: World,
  issue: PullIssue,
  { headSha, baseSha }: { readonly headSha: string; readonly baseSha: string },
): Promise<void> {
  const { pull, repository } = issue;
  await takeHead(world, repository, { from: pull.headRepository, sha: headSha });
  const measured = await measure(world, repository, { headSha, baseSha });
  Object.assign(pull, { headSha, baseSha, ...measured });
  await keepHead(world, issue);
  forgetMergeability(world, issue);
}

export function requestReview(
  world: World,
  { caller, issue }: { readonly caller: Caller; readonly issue: PullIssue },
  { reviewers, isAdded }: { readonly reviewers: readonly Account[]; readonly isAdded: boolean },
): void {
  const { pull, repository } = issue;
  requireRight(world, { caller, repository }, NEEDS.editPull);
  const sender = actorOf(caller);
  for (const reviewer of reviewers) {
    const mayReview = includes(roleOf(world, repository, reviewer), 'triage');
    if (reviewer === issue.author || !mayReview)
      throw new EmulatorRefused('not_a_reviewer', reviewer.login);
  }
  for (const reviewer of reviewers) {
    if (pull.requestedReviewers.includes(reviewer) === isAdded) continue;
    const others = pull.requestedReviewers.filter((each) => each !== reviewer);
    pull.requestedReviewers = isAdded ? [...others, reviewer] : others;
    if (!isAdded) pull.reviewRequests.delete(reviewer);
    else pull.reviewRequests.set(reviewer, { id: world.nextId('review'), at: world.now() });
    const is = isAdded ? 'review_requested' : 'review_request_removed';
    recordInTimeline(world, issue, { caller, entry: { is, reviewer } });
    world.emit({ is: 'reviewer_changed', repository, sender, issue, reviewer, isAdded });
  }
}

function headOf(world: World, repository: Repository, head: string): [Repository, string] {
  const [owner, branch] = head.includes(':') ? head.split(':', 2) : [undefined, head];
  if (owner === undefined || owner === repository.owner.login) return [repository, branch ?? head];
  const account = accountCalled(world, owner);
  const fork = world.repositories.find(
    (each) => each.owner === account && each.forkOf === repository,
  );
  if (!fork) throw new EmulatorRefused('invalid', 'head');
  return [fork, branch ?? ''];
}

function refuseSecondPull(
  repository: Repository,
  head: { readonly repository: Repository; readonly branch: string },
  base: string,
): void {
  for (const { isOpen, pull, number } of repository.issues.values()) {
    if (!isOpen || pull?.headRepository !== head.repository) continue;
    if (pull.headBranch === head.branch && pull.baseBranch === base) {
      throw new EmulatorRefused(
        'pull_exists',
        `${head.repository.owner.login}:${head.branch} #${number}`,
      );
    }
  }
}

/** The commits of a fork are needed in the repository that they would be merged into. */
async function takeHead(
  { git }: World,
  repository: Repository,
  { from, sha }: { readonly from: Repository; readonly sha: string },
): Promise<void> {
  if (from === repository) return;
  await git.run(repository.dir, ['fetch', '--quiet', '--no-write-fetch-head', from.dir, sha]);
}

async function keepHead({ git }: World, issue: Issue): Promise<void> {
  const sha = issue.pull?.headSha ?? '';
  await git.run(issue.repository.dir, ['update-ref', `refs/pull/${issue.number}/head`, sha]);
}

async function measure(
  { git }: World,
  { dir }: Repository,
  { headSha, baseSha }: { readonly headSha: string; readonly baseSha: string },
): Promise<Pick<Pull, 'mergeBase' | 'size'>> {
  const mergeBase = await mergeBaseOf(git, dir, baseSha, headSha);
  return { mergeBase, size: await readSize(git, dir, { base: mergeBase, head: headSha }) };
}
