import { createHash } from 'node:crypto';
import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import { noticeDuplicateCards } from '../domain/forge/duplicate-cards.ts';
import { homeOf, issueKey } from '../domain/forge/issue-record.ts';
import { type LookResult, openThreadOf, recordOf } from '../domain/forge/look-result.ts';
import { actorOf, teamsFor } from '../domain/forge/rights.ts';
import type { Account, ForgeSnapshot } from '../domain/forge/snapshot.ts';
import {
  agentOfAssignment,
  newAssignments,
  takeAssignment,
} from '../domain/forge/take-assignment.ts';
import { agentMeant, newComments, takeComment } from '../domain/forge/take-comment.ts';
import {
  forgetRemovedLabels,
  noticeEditedLabels,
  takeClosedIssue,
} from '../domain/forge/take-issue.ts';
import { agentOf, newTriggers, takeLabel, takeRoutingLabels } from '../domain/forge/take-labels.ts';
import { takePullRequest } from '../domain/forge/take-pull-request.ts';
import { newReviews, takeReview } from '../domain/forge/take-review.ts';
import { targetOf as targetRepositoryOf } from '../domain/forge/target-repository.ts';
import type { ThreadId } from '../domain/ids.ts';
import type { Project } from '../domain/project.ts';
import { actorsOfIssue, takeSourceIssue } from '../domain/sources/take-issue.ts';
import type { Thread } from '../domain/thread.ts';
import type { Workforce } from '../domain/why-unclaimed.ts';
import type { Forge } from '../ports/forge.ts';
import { applyChecks } from './apply-checks.ts';
import type { Decide } from './command.ts';
import { type Caused, changeForForge, repeatForForge } from './forge-changes.ts';
import type { RightsOf } from './forge-rights.ts';
import type { Hall } from './hall.ts';

export interface LookNeeds {
  readonly hall: Hall;
  readonly rightsOf: RightsOf;
  readonly workforceFor: (project: string) => Workforce;
}

export interface ThreadPlace {
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

/** Brings the board in line with a look. What the board went ahead of meanwhile changes nothing. */
export async function applyLook(
  needs: LookNeeds,
  place: LookedAt,
  snapshot: ForgeSnapshot,
): Promise<void> {
  const { hall } = needs;
  const { forge, repo, path } = place;
  const still = whileCurrent(place, snapshot);
  const act = (decision: Decide<unknown>, caused?: Caused) =>
    changeForForge(hall, still(decision), caused);
  const result = await withRights(needs, place, snapshot);
  await repeatForForge(
    hall,
    still((board, now, closed) => takePullRequest(board, closed, result, now)),
  );
  await repeatForForge(
    hall,
    still((board, now, closed) => takeClosedIssue(board, closed, result, now)),
  );
  await act((board) => takeRoutingLabels(board, result));
  await act((board) => forgetRemovedLabels(board, result));
  await act((board) => noticeEditedLabels(board, result));
  if (noticeDuplicateCards(hall.board, result).events.length > 0)
    await act((board) => noticeDuplicateCards(board, result));
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
  await repeatForForge(hall, still(take), { threads: threadsIn(hall.board, result) });
  for (const review of newReviews(hall.board, result)) {
    const take: Decide<unknown> = (board, now, closed) =>
      takeReview(board, closed, { result, review }, now);
    await act(take, { by: actorOf(repo, review.author) });
  }
  await applyChecks(hall, { forge, path, result });
}

/** What was found, with the rights of everybody whose rights matter for what is new. */
async function withRights(
  { hall, rightsOf, workforceFor }: LookNeeds,
  { forge, project, repo, path, number, headBefore }: LookedAt,
  snapshot: ForgeSnapshot,
): Promise<LookResult> {
  const workforce = workforceFor(project.name);
  const nobody = { own: await forge.account(), permissions: new Map(), teams: new Map() };
  const from = { repo, number, project, headBefore };
  const bare: LookResult = { ...from, snapshot, rights: nobody, workforce };
  const asked = { accounts: actorsIn(hall.board, bare), teams: teamsIn(hall.board, bare) };
  const rights = await rightsOf(forge, path, asked);
  const target = targetRepositoryOf(hall.board, bare);
  const targetRights = target?.project && (await rightsOf(forge, target.path, asked));
  return { ...bare, rights, ...(targetRights && { targetRights }) };
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

/**
 * False when a run has reported another head since the look began: what it saw is older than the board, and taken
 * as news it would move the head back. False also when a pull request turned out to belong to the thread of an
 * issue: then it is read with that issue.
 */
export function isCurrent(board: Board, place: LookedAt, snapshot: ForgeSnapshot | null): boolean {
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

export function threadAt(
  board: Board,
  { repo, number }: Pick<ThreadPlace, 'repo' | 'number'>,
): Thread | undefined {
  const record = board.issues.get(issueKey(repo, number));
  return record?.thread == null ? undefined : board.threads.get(record.thread);
}
