import { createHash } from 'node:crypto';
import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import { repositoryOn } from '../domain/forge/connected-forges.ts';
import { homeOf, issueKey } from '../domain/forge/issue-record.ts';
import { finishLook } from '../domain/forge/look.ts';
import { type LookResult, openThreadOf, recordOf } from '../domain/forge/look-result.ts';
import { actorOf, teamsFor } from '../domain/forge/rights.ts';
import type { Account, ForgeCheck, ForgeSnapshot, PullSnapshot } from '../domain/forge/snapshot.ts';
import {
  agentOfAssignment,
  newAssignments,
  takeAssignment,
} from '../domain/forge/take-assignment.ts';
import { resultOf, takeChecks } from '../domain/forge/take-checks.ts';
import { agentMeant, newComments, takeComment } from '../domain/forge/take-comment.ts';
import {
  forgetRemovedLabels,
  noticeEditedLabels,
  takeClosedIssue,
  takeDeletedIssue,
} from '../domain/forge/take-issue.ts';
import { agentOf, newTriggers, takeLabel, takeRoutingLabels } from '../domain/forge/take-labels.ts';
import { takePullRequest } from '../domain/forge/take-pull-request.ts';
import { newReviews, takeReview } from '../domain/forge/take-review.ts';
import { targetOf as targetRepositoryOf } from '../domain/forge/target-repository.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import type { Project } from '../domain/project.ts';
import { actorsOfIssue, takeSourceIssue } from '../domain/sources/take-issue.ts';
import { type BranchBase, knownPullRequest, type Thread } from '../domain/thread.ts';
import type { Workforce } from '../domain/why-unclaimed.ts';
import { type Forge, ForgeFailed, type LookTarget } from '../ports/forge.ts';
import type { Decide } from './command.ts';
import type { RightsOf } from './forge-rights.ts';
import type { Hall } from './hall.ts';
import { looksUnderWay } from './looks-under-way.ts';

export interface LookNeeds {
  readonly hall: Hall;
  readonly rightsOf: RightsOf;
  readonly workforceFor: (project: string) => Workforce;
}

interface ThreadPlace {
  readonly forge: Forge;
  readonly project: Project;
  /** `github:acme/shop`, and `acme/shop` on the forge. */
  readonly repo: string;
  readonly path: string;
  readonly number: number;
  /** What was asked for: the issue itself, or its pull request. */
  readonly asked: string;
}

interface LookedAt extends ThreadPlace {
  /** The head that the board knew when the look began. */
  readonly headBefore: string | null;
}

/**
 * Reads one issue with its pull request and brings the board in line. Every fact is recorded by a change of
 * its own, together with how far the issue was read, so a crash in between repeats nothing. Returns false if the
 * board went ahead of what was read: then another look is needed.
 */
export async function lookAtThread(needs: LookNeeds, place: ThreadPlace): Promise<boolean> {
  const { hall } = needs;
  const begunAt = hall.clock.now();
  const keys = new Set([place.asked, issueKey(place.repo, place.number)]);
  const underWay = looksUnderWay(hall);
  for (const key of keys) underWay.set(key, begunAt);
  try {
    const headBefore = threadAt(hall.board, place)?.forge.head ?? null;
    const looked = { ...place, headBefore };
    const snapshot = await place.forge.look(targetOf(hall.board, place));
    if (snapshot !== null) await takeIn(needs, looked, snapshot);
    else await takeGone(hall, place);
    if (!isCurrent(hall.board, looked, snapshot)) return false;
    for (const key of keys) await change(hall, (board) => finishLook(board, key, begunAt));
    return true;
  } finally {
    for (const key of keys) underWay.delete(key);
  }
}

/**
 * False when a run has reported another head since the look began: what it saw is older than the board, and taken
 * as news it would move the head back. False also when a pull request turned out to belong to the thread of an
 * issue: then it is read with that issue.
 */
function isCurrent(board: Board, place: LookedAt, snapshot: ForgeSnapshot | null): boolean {
  const home = homeOf(board, place.repo, place.number);
  if (home.repo !== place.repo || home.number !== place.number) return false;
  const head = threadAt(board, place)?.forge.head ?? null;
  return head === null || head === place.headBefore || head === snapshot?.pull?.head;
}

function whileCurrent(
  place: LookedAt,
  snapshot: ForgeSnapshot,
): (take: Decide<unknown>) => Decide<unknown> {
  return (take) => (board, now, closed) =>
    isCurrent(board, place, snapshot) ? take(board, now, closed) : decide(null, []);
}

/** The number of a pull request leads to the issue of its thread. */
function targetOf(board: Board, { repo, path, number }: ThreadPlace): LookTarget {
  const record = board.issues.get(issueKey(repo, number));
  const thread = threadAt(board, { repo, number });
  const seen = record?.seen ?? { comment: 0, review: 0 };
  if (!thread) return { repo: path, number, pull: null, seen };
  const { branch, pr } = thread.forge;
  const pull = {
    repo: codePathOf(board, thread) ?? path,
    number: knownPullRequest(pr)?.number ?? null,
    branch: branch ?? '',
  };
  return { repo: path, number, pull: branch === null ? null : pull, seen };
}

/** The issue was deleted, unless the whole repository is out of sight: that ends no work. */
async function takeGone(hall: Hall, { forge, repo, path, number, project }: ThreadPlace) {
  if (!(await forge.exists(path))) {
    const because = `${path} is not there: it was renamed or deleted, or the hall lost its access; correct repo of the project ${project.name}`;
    throw new ForgeFailed(because, { retry: 'never' });
  }
  await repeat(hall, (board, now, closed) =>
    takeDeletedIssue(board, closed, { repo, number }, now),
  );
}

/** Where the code of a thread is, which may be another repository than that of its issue. */
function codePathOf(board: Board, { project }: Thread): string | undefined {
  return repositoryOn(board.projects.get(project)?.settings.repo ?? null)?.path;
}

function threadAt(board: Board, { repo, number }: Pick<ThreadPlace, 'repo' | 'number'>) {
  const record = board.issues.get(issueKey(repo, number));
  return record?.thread == null ? undefined : board.threads.get(record.thread);
}

async function takeIn(needs: LookNeeds, place: LookedAt, snapshot: ForgeSnapshot): Promise<void> {
  const { hall, rightsOf, workforceFor } = needs;
  const { forge, project, repo, path, number, headBefore } = place;
  const still = whileCurrent(place, snapshot);
  const act = (take: Decide<unknown>, caused?: Caused) => change(hall, still(take), caused);
  const workforce = workforceFor(project.name);
  const nobody = { own: await forge.account(), permissions: new Map(), teams: new Map() };
  const from = { repo, number, project, headBefore };
  const bare: LookResult = { ...from, snapshot, rights: nobody, workforce };
  const asked = { accounts: actorsIn(hall.board, bare), teams: teamsIn(hall.board, bare) };
  const rights = await rightsOf(forge, path, asked);
  const target = targetRepositoryOf(hall.board, bare);
  const targetRights = target?.project && (await rightsOf(forge, target.path, asked));
  const result: LookResult = { ...bare, rights, ...(targetRights && { targetRights }) };
  await repeat(
    hall,
    still((board, now, closed) => takePullRequest(board, closed, result, now)),
  );
  await repeat(
    hall,
    still((board, now, closed) => takeClosedIssue(board, closed, result, now)),
  );
  await act((board) => takeRoutingLabels(board, result));
  await act((board) => forgetRemovedLabels(board, result));
  await act((board) => noticeEditedLabels(board, result));
  for (const trigger of newTriggers(hall.board, result)) {
    const by = trigger.label.by ?? trigger.author;
    const take: Decide<unknown> = (board, now, closed) =>
      takeLabel(board, closed, { result, trigger }, now);
    await act(take, { by: actorOf(repo, by), threads: threadsIn(hall.board, result) });
  }
  for (const assignment of newAssignments(hall.board, result)) {
    const take: Decide<unknown> = (board, now, closed) =>
      takeAssignment(board, closed, { result, assignment }, now);
    const by = assignment.by ? actorOf(repo, assignment.by) : 'hall';
    await act(take, { by, threads: threadsIn(hall.board, result) });
  }
  for (const comment of newComments(hall.board, result)) {
    const take: Decide<unknown> = (board, now, closed) =>
      takeComment(board, closed, { result, comment }, now);
    const by = actorOf(repo, comment.author);
    await act(take, { by, threads: threadsIn(hall.board, result) });
  }
  const hash = hashOf(snapshot);
  const take: Decide<unknown> = (board, now, closed) =>
    takeSourceIssue(board, closed, { result, hash }, now);
  await repeat(hall, still(take), { threads: threadsIn(hall.board, result) });
  for (const review of newReviews(hall.board, result)) {
    const take: Decide<unknown> = (board, now, closed) =>
      takeReview(board, closed, { result, review }, now);
    await act(take, { by: actorOf(repo, review.author) });
  }
  await takeInChecks(hall, { forge, path, result });
}

/** Of the text that a task source would post. */
function hashOf({ issue }: ForgeSnapshot): string {
  const text = JSON.stringify([issue?.title, issue?.body]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The people whose rights matter for what is new. */
function actorsIn(board: Board, result: LookResult): readonly Account[] {
  return [
    ...newTriggers(board, result).flatMap(({ label, author }) => [label.by ?? author, author]),
    ...newAssignments(board, result).flatMap(({ by }) => by ?? []),
    ...newComments(board, result).map(({ author }) => author),
    ...newReviews(board, result).map(({ author }) => author),
    ...actorsOfIssue(board, result),
  ];
}

/** The teams of the agents that what is new is for. */
function teamsIn(board: Board, result: LookResult): readonly string[] {
  const agents = [
    openThreadOf(board, result)?.agent ?? null,
    ...newTriggers(board, result).map((trigger) => agentOf(board, trigger)),
    ...newAssignments(board, result).map((assignment) => agentOfAssignment(board, assignment)),
    ...newComments(board, result).map((comment) => agentMeant(board, result, comment)),
  ];
  return [...new Set(agents.flatMap((agent) => teamsFor(board, agent)))];
}

function threadsIn(board: Board, result: LookResult): readonly ThreadId[] {
  const { thread } = recordOf(board, result);
  return thread === null ? [] : [thread];
}

interface Checked {
  readonly forge: Forge;
  readonly path: string;
  readonly result: LookResult;
}

/** Reads the output of failed checks once for each head: it is long, and an agent gets it. */
async function takeInChecks(hall: Hall, { forge, result, ...home }: Checked): Promise<void> {
  const thread = openThreadOf(hall.board, result);
  const { pull } = result.snapshot;
  if (!thread || pull?.state !== 'open' || thread.forge.head !== pull.head) return;
  const { headAt = hall.clock.now(), checks: before } = thread.forge;
  const path = codePathOf(hall.board, thread) ?? home.path;
  const { ciWait } = (hall.board.projects.get(thread.project) ?? result.project).settings;
  const known = before?.commit === pull.head ? before : null;
  const timing = { pushedAt: headAt, ciWait, now: hall.clock.now(), rerun: known?.rerun };
  const { is } = resultOf(pull.checks, timing);
  const isRed = is === 'red';
  const isNew = isRed && known?.is !== 'red';
  const excerpt = isNew ? await outputs(forge, path, pull.checks) : '';
  const tree = isNew ? await forge.treeOf(path, pull.head) : (known?.tree ?? null);
  const base = known?.base ?? (isRed ? startOf(pull) : null);
  const isEnd = (is === 'green' || is === 'none') && (known?.is !== is || known.missing);
  const required = isEnd ? await forge.requiredChecks(path, pull.base) : [];
  const seen = { checks: pull.checks, timing, excerpt, base, tree, required };
  await change(hall, (board, now) => takeChecks(board, { result, seen }, now));
}

/** Which checks fail there is not known yet. */
function startOf({ base: branch, baseCommit: commit }: PullSnapshot): BranchBase | null {
  return commit === null ? null : { branch, commit, failing: null };
}

const MAX_OUTPUTS = 3;
const MAX_OUTPUT = 6_000;

async function outputs(forge: Forge, repo: string, checks: readonly ForgeCheck[]): Promise<string> {
  const failed = checks.filter(({ is }) => is === 'red').slice(0, MAX_OUTPUTS);
  const texts: string[] = [];
  for (const check of failed) {
    const output = await forge.outputOf(repo, check);
    texts.push(`${check.name}:\n${output.slice(-MAX_OUTPUT)}`);
  }
  return texts.join('\n\n');
}

/** Until a decision changes nothing: each call ends at most one task. */
async function repeat(hall: Hall, take: Decide<unknown>, caused: Caused = {}): Promise<void> {
  for (let tries = 0; tries < MAX_STEPS; tries += 1) {
    let changes = 0;
    const counted: Decide<unknown> = (...args) => {
      const decision = take(...args);
      changes = decision.events.length;
      return decision;
    };
    await change(hall, counted, caused);
    if (changes === 0) return;
  }
}

const MAX_STEPS = 100;

interface Caused {
  readonly by?: string;
  /** Threads that may be closed, which the decision reopens. */
  readonly threads?: readonly ThreadId[];
}

async function change(
  hall: Hall,
  take: Decide<unknown>,
  { by = 'hall', threads = [] }: Caused = {},
): Promise<void> {
  const tasks = threads.map(firstTask);
  const meta = { actor: by, cause: 'forge' };
  await hall.leading()?.writer.change({ meta, decide: take, keys: { threads, tasks } });
}

/** The first task of a thread has the thread's number. */
function firstTask(thread: ThreadId): TaskId {
  return thread as number as TaskId;
}
