import { mergeCommits } from '../git/write-commits.ts';
import { checksAreGreen } from './checks.ts';
import { EmulatorRefused } from './emulator-refused.ts';
import { applyOpen } from './issues.ts';
import { computeMergeability, forgetMergeability } from './mergeability.ts';
import type { Caller, Issue, Protection, PullIssue, Repository } from './model.ts';
import { dropBranch, takePushes } from './pushes.ts';
import { verdictsOf } from './reviews.ts';
import { actorOf, includes, NEEDS, requireRight, roleOf } from './rights.ts';
import { recordInTimeline } from './timeline.ts';
import { fullNameOf, type World } from './world.ts';

interface By {
  readonly caller: Caller;
  readonly issue: PullIssue;
}

interface MergePlan {
  /** The head that the caller has looked at. */
  readonly sha: string | null;
  readonly how: string;
  readonly message: string | null;
  readonly deletesBranch: boolean;
}

/** Merges, or throws a refusal that tells "not yet" from "no". */
export function mergePull(world: World, { caller, issue }: By, plan: MergePlan): Promise<string> {
  const { pull, repository } = issue;
  requireRight(world, { caller, repository }, NEEDS.push);
  return world.inOrder(repository, async () => {
    await refuseMerge(world, issue, plan);
    const sha = await mergeCommits(world.git, repository.dir, {
      ...{ base: pull.baseSha, head: pull.headSha, how: plan.how },
      ...{ by: actorOf(caller), at: world.now(), message: plan.message ?? messageOf(issue) },
    });
    if (sha === null) throw new EmulatorRefused('merge_conflict');
    await world.git.run(repository.dir, [
      'update-ref',
      `refs/heads/${pull.baseBranch}`,
      sha,
      pull.baseSha,
    ]);
    recordMerge(world, { caller, issue }, sha);
    await takePushes(world, { caller, repository });
    if (plan.deletesBranch) {
      const { headRepository, headBranch } = pull;
      await dropBranch(world, { caller, repository: headRepository }, headBranch);
    }
    return sha;
  });
}

/** What stands between a pull request and its merge, apart from conflicts. */
export function protectionRefusal(
  { pull, repository }: PullIssue,
  protection: Protection | undefined = repository.protections.get(pull.baseBranch),
): 'merge_needs_checks' | 'merge_needs_approval' | null {
  if (!protection) return null;
  if (!checksAreGreen(repository, pull.headSha, protection.requiredChecks)) {
    return 'merge_needs_checks';
  }
  const verdicts = verdictsOf(pull);
  const approvals = verdicts.filter(({ state }) => state === 'approved');
  const isRejected =
    protection.blocksOnRejection && verdicts.some(({ state }) => state === 'changes_requested');
  return isRejected || approvals.length < protection.requiredApprovals
    ? 'merge_needs_approval'
    : null;
}

async function refuseMerge(world: World, issue: PullIssue, { sha }: MergePlan): Promise<void> {
  const { pull } = issue;
  const { rules } = world;
  if (pull.merged) throw new EmulatorRefused('merge_done_already');
  if (!issue.isOpen || pull.isDraft) throw new EmulatorRefused('merge_of_closed');
  const isStale = sha !== null && sha !== pull.headSha;
  if (isStale && rules.mergeChecksHeadFirst) throw new EmulatorRefused('merge_stale_head');
  if (pull.mergeability === 'unknown') {
    const mayLook = rules.mergeabilityIsReadOn === 'look' && !world.holdsMergeability;
    if (!mayLook) throw new EmulatorRefused('merge_not_yet');
    await computeMergeability(world, issue);
  }
  if (pull.mergeability === 'conflict') throw new EmulatorRefused('merge_conflict');
  const refusal = protectionRefusal(issue);
  if (refusal) throw new EmulatorRefused(refusal);
  if (!isStale) return;
  // Gitea has tried by then, and looks again after every try.
  forgetMergeability(world, issue);
  throw new EmulatorRefused('merge_stale_head');
}

function recordMerge(world: World, { caller, issue }: By, sha: string): void {
  issue.pull.merged = { at: world.now(), by: actorOf(caller), sha };
  recordInTimeline(world, issue, { caller, entry: { is: 'merged', sha } });
  applyOpen(world, { caller, issue }, { isOpen: false, closedAs: null });
  const { repository, pull } = issue;
  if (pull.baseBranch !== repository.defaultBranch) return;
  for (const closed of closedBy(world, repository, issue.body)) {
    const mayClose = includes(roleOf(world, closed.repository, actorOf(caller)), 'triage');
    const isHere = closed.repository === repository;
    if (!closed.isOpen || !(isHere || mayClose)) continue;
    applyOpen(
      world,
      { caller, issue: closed },
      { isOpen: false, closedAs: 'completed', commit: sha },
    );
  }
}

const CLOSES = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:([\w.-]+\/[\w.-]+))?#(\d+)\b/gi;

/** The issues that a text closes by `Closes #1` or `Fixes owner/name#1`. */
function closedBy(world: World, repository: Repository, text: string): Issue[] {
  return [...text.matchAll(CLOSES)].flatMap(([, name, number]) => {
    const home = name
      ? world.repositories.find((each) => fullNameOf(each).toLowerCase() === name.toLowerCase())
      : repository;
    const issue = home?.issues.get(Number(number));
    return issue && !issue.pull ? [issue] : [];
  });
}

function messageOf({ number, title, pull, repository }: PullIssue): string {
  const from = `${repository.owner.login}/${pull.headBranch}`;
  return `Merge pull request #${number} from ${from}\n\n${title}`;
}
