import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import { homeNumber, issueKey } from '../domain/forge/issue-record.ts';
import { finishLook } from '../domain/forge/look.ts';
import { type LookResult, openThreadOf, recordOf } from '../domain/forge/look-result.ts';
import { actorOf } from '../domain/forge/rights.ts';
import type { Account, ForgeCheck, ForgeSnapshot, PullSnapshot } from '../domain/forge/snapshot.ts';
import { newAssignments, takeAssignment } from '../domain/forge/take-assignment.ts';
import { resultOf, takeChecks } from '../domain/forge/take-checks.ts';
import { newComments, takeComment } from '../domain/forge/take-comment.ts';
import { forgetRemovedLabels, takeClosedIssue } from '../domain/forge/take-issue.ts';
import { newTriggers, takeLabel, takeRoutingLabels } from '../domain/forge/take-labels.ts';
import { takePullRequest } from '../domain/forge/take-pull-request.ts';
import { newReviews, takeReview } from '../domain/forge/take-review.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import type { Project } from '../domain/project.ts';
import { type BranchBase, knownPullRequest } from '../domain/thread.ts';
import type { Workforce } from '../domain/why-unclaimed.ts';
import type { Forge, LookTarget } from '../ports/forge.ts';
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
}

/**
 * Reads one issue with its pull request and brings the board in line. Every fact is recorded by a change of
 * its own, together with how far the issue was read, so a crash in between repeats nothing.
 */
export async function lookAtThread(needs: LookNeeds, named: ThreadPlace): Promise<void> {
  const { hall } = needs;
  const { repo } = named;
  const begunAt = hall.clock.now();
  const home = () => homeNumber(hall.board, repo, named.number);
  const underWay = looksUnderWay(hall);
  const keys = new Set([issueKey(repo, named.number)]);
  try {
    for (let isCurrent = false; !isCurrent; ) {
      const number = home();
      keys.add(issueKey(repo, number));
      for (const key of keys) underWay.set(key, begunAt);
      const place = { ...named, number, head: headOf(hall.board, repo, number) };
      const snapshot = await place.forge.look(targetOf(hall.board, place));
      if (snapshot !== null) await takeIn(needs, place, snapshot);
      isCurrent = number === home() && isOfHead(hall.board, place, snapshot);
    }
    for (const key of keys) await change(hall, (board) => finishLook(board, key, begunAt));
  } finally {
    for (const key of keys) underWay.delete(key);
  }
}

function headOf(board: Board, repo: string, number: number): string | null {
  const thread = board.issues.get(issueKey(repo, number))?.thread ?? null;
  return (thread === null ? undefined : board.threads.get(thread))?.forge.head ?? null;
}

interface LookedAt extends ThreadPlace {
  /** The head that the board knew when the look began. */
  readonly head: string | null;
}

/**
 * False when a run has reported another head since the look began: what it saw is older than the board, and
 * taken as news it would move the head back.
 */
function isOfHead(
  board: Board,
  { repo, number, head }: LookedAt,
  snapshot: ForgeSnapshot | null,
): boolean {
  const now = headOf(board, repo, number);
  return now === null || now === head || now === snapshot?.pull?.head;
}

/**
 * A pull request can turn out to belong to the thread of an issue while it is being read. Then it is read
 * with that issue, and what was found under its own number changes nothing more.
 */
function whileCurrent(
  place: LookedAt,
  snapshot: ForgeSnapshot,
): (take: Decide<unknown>) => Decide<unknown> {
  const { repo, number } = place;
  return (take) => (board, now, closed) =>
    homeNumber(board, repo, number) === number && isOfHead(board, place, snapshot)
      ? take(board, now, closed)
      : decide(null, []);
}

/** The number of a pull request leads to the issue of its thread. */
function targetOf(board: Board, { repo, path, number }: ThreadPlace): LookTarget {
  const record = board.issues.get(issueKey(repo, number));
  const thread = record?.thread == null ? undefined : board.threads.get(record.thread);
  const seen = record?.seen ?? { comment: 0, review: 0 };
  if (!thread) return { repo: path, number, pull: null, seen };
  const { branch, pr } = thread.forge;
  const pull = { repo: path, number: knownPullRequest(pr)?.number ?? null, branch: branch ?? '' };
  return { repo: path, number, pull: branch === null ? null : pull, seen };
}

async function takeIn(needs: LookNeeds, place: LookedAt, snapshot: ForgeSnapshot): Promise<void> {
  const { hall, rightsOf, workforceFor } = needs;
  const { forge, project, repo, path, number } = place;
  const still = whileCurrent(place, snapshot);
  const act = (take: Decide<unknown>, caused?: Caused) => change(hall, still(take), caused);
  const workforce = workforceFor(project.name);
  const nobody = { own: await forge.account(), permissions: new Map() };
  const bare: LookResult = { repo, number, project, snapshot, rights: nobody, workforce };
  const rights = await rightsOf(forge, path, actorsIn(hall.board, bare));
  const result = { ...bare, rights };
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
  for (const review of newReviews(hall.board, result)) {
    const take: Decide<unknown> = (board, now, closed) =>
      takeReview(board, closed, { result, review }, now);
    await act(take, { by: actorOf(repo, review.author) });
  }
  await takeInChecks(hall, { forge, path, result });
}

/** The people whose rights matter for what is new. */
function actorsIn(board: Board, result: LookResult): readonly Account[] {
  return [
    ...newTriggers(board, result).flatMap(({ label, author }) => [label.by ?? author, author]),
    ...newAssignments(board, result).flatMap(({ by }) => by ?? []),
    ...newComments(board, result).map(({ author }) => author),
    ...newReviews(board, result).map(({ author }) => author),
  ];
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
async function takeInChecks(hall: Hall, { forge, path, result }: Checked): Promise<void> {
  const thread = openThreadOf(hall.board, result);
  const { pull } = result.snapshot;
  if (!thread || pull?.state !== 'open' || thread.forge.head !== pull.head) return;
  const { headAt = hall.clock.now(), checks: before } = thread.forge;
  const timing = { pushedAt: headAt, ciWait: CI_WAIT, now: hall.clock.now() };
  const { is } = resultOf(pull.checks, timing);
  const isKnown = before?.commit === pull.head && before.is === 'red';
  const excerpt = is === 'red' && !isKnown ? await outputs(forge, path, pull.checks) : '';
  const base = (isKnown ? before?.base : undefined) ?? (is === 'red' ? startOf(pull) : null);
  const seen = { checks: pull.checks, timing, excerpt, base };
  await change(hall, (board, now) => takeChecks(board, { result, seen }, now));
}

/** Which checks fail there is not known yet. */
function startOf({ base: branch, baseCommit: commit }: PullSnapshot): BranchBase | null {
  return commit === null ? null : { branch, commit, failing: null };
}

const CI_WAIT = 5 * 60_000;
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
async function repeat(hall: Hall, take: Decide<unknown>): Promise<void> {
  for (let tries = 0; tries < MAX_STEPS; tries += 1) {
    const before = hall.board.seq;
    await change(hall, take);
    if (hall.board.seq === before) return;
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
