import { isHallLabel, resolveAgentName, unknownAgentText } from './agent-name.ts';
import type { Board } from './board.ts';
import type { ClosedWork } from './closed-work.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { eventsAfterCompletion, startState } from './dependencies/unblock.ts';
import type { HallEvent, PostedTask } from './event.ts';
import { forgeOf } from './forge/connected-forges.ts';
import { withoutMentions } from './forge/without-mentions.ts';
import { type Instant, nameOf, type TaskId } from './ids.ts';
import { checkLease, type Lease } from './lease.ts';
import { type FieldPath, type Posting, post } from './posting.ts';
import { isLocal } from './project.ts';
import { handOverToPerson } from './pull-request.ts';
import { followUp, type Moment } from './pull-request-follow-up.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { afterWork, reviewerOf } from './reviewing.ts';
import type { Ending, Result, Run, Usage } from './run.ts';
import { withoutSize } from './size.ts';
import { endsInComment, fixesOwnWork } from './skill.ts';
import { afterUnfinishedTask, checkChildCount, minChildren } from './splitting.ts';
import type { CompletedOutcome, FailureReason, Rejection, Task, TaskState } from './task.ts';
import { isPending, knownPullRequest, type Thread } from './thread.ts';

/** A worker's final report on a run. */
export type Report =
  | {
      readonly how: 'completed';
      readonly outcome: CompletedOutcome;
      readonly result: Result;
      readonly children: readonly Child[];
      /** The agent or type that should do it instead. */
      readonly reroute?: string;
    }
  | { readonly how: 'failed'; readonly reason: FailureReason; readonly result: Result }
  | { readonly how: 'rejected'; readonly rejection: Rejection }
  | { readonly how: 'deferred'; readonly until: Instant; readonly why: string };

/** A child that a decomposition proposes. Agents may not set its size. */
export type Child = Pick<Posting, 'title' | 'body' | 'labels' | 'dependsOn' | 'ref' | 'skill'>;

export function start(board: Board, lease: Lease): Decision<Run> {
  const run = checkLease(board, lease);
  if (isRefusal(run)) return refuseWith(run);
  if (run.startedAt !== null) return decide(run, []);
  return decide(run, [{ type: 'RunStarted', run: run.id }]);
}

/** The run's total usage so far. Numbers only grow: a late, smaller report changes nothing. */
export function recordUsage(board: Board, lease: Lease, usage: Usage): Decision<Run> {
  const run = checkLease(board, lease);
  if (isRefusal(run)) return refuseWith(run);
  const highest: Usage = {
    inputTokens: Math.max(run.usage.inputTokens, usage.inputTokens),
    outputTokens: Math.max(run.usage.outputTokens, usage.outputTokens),
    turns: Math.max(run.usage.turns, usage.turns),
    costUsd: Math.max(run.usage.costUsd, usage.costUsd),
  };
  return decide(run, [{ type: 'UsageRecorded', run: run.id, usage: highest }]);
}

export function note(board: Board, lease: Lease, text: string): Decision<Run> {
  const run = checkLease(board, lease);
  return isRefusal(run)
    ? refuseWith(run)
    : decide(run, [{ type: 'NoteAdded', run: run.id, note: text }]);
}

/** The agent asks a person. The run ends, which frees its slot while the person thinks. */
export function askQuestion(
  board: Board,
  lease: Lease,
  { question, session }: { readonly question: string; readonly session: string | null },
  now: Now,
): Decision<TaskId> {
  const run = checkLease(board, lease);
  if (isRefusal(run)) return refuseWith(run);
  const ending: Ending = { at: now.at, how: 'asked', question, session };
  const state: TaskState = { is: 'awaiting_input', since: now.at, question, run: run.id };
  return decide(run.task, [{ type: 'RunEnded', run: run.id, ending, task: state }]);
}

export function report(
  board: Board,
  lease: Lease,
  reported: Report,
  now: Now,
  recalled: ClosedWork = NOTHING_RECALLED,
): Decision<TaskId> {
  const run = checkLease(board, lease);
  if (isRefusal(run)) return refuseWith(run);
  const task = board.tasks.get(run.task);
  const thread = board.threads.get(run.thread);
  if (!task || !thread)
    return refuseWith(
      refuse('stale_fence', `the task of ${nameOf('run', run.id)} no longer exists`),
    );
  if (reported.how === 'completed')
    return complete(board, { run, task, thread, recalled }, reported, now);

  const ending: Ending = { at: now.at, ...reported };
  const state = stateAfter(reported, now.at);
  return decide(task.id, [
    { type: 'RunEnded', run: run.id, ending, task: state },
    ...afterUnfinishedTask(board, task, state),
  ]);
}

type Unfinished = Exclude<Report, { how: 'completed' }>;

function stateAfter(reported: Unfinished, at: Instant): TaskState {
  switch (reported.how) {
    case 'failed':
      return {
        is: 'failed',
        since: at,
        reason: reported.reason,
        summary: reasonFor(reported, reported.reason),
      };
    case 'rejected':
      return { is: 'rejected', since: at, rejection: reported.rejection };
    case 'deferred':
      return { is: 'deferred', since: at, until: reported.until, why: reported.why };
  }
}

/** Every ended task has a reason: where the worker gives none, the hall uses its outcome. */
function reasonFor({ result }: { readonly result: Result }, outcome: string): string {
  if (result.summary.trim() !== '') return result.summary;
  return `the worker reported ${outcome} without a summary`;
}

interface Work {
  readonly run: Run;
  readonly task: Task;
  readonly thread: Thread;
  readonly recalled: ClosedWork;
}

function complete(
  board: Board,
  work: Work,
  reported: Extract<Report, { how: 'completed' }>,
  now: Now,
): Decision<TaskId> {
  const { run, task, thread } = work;
  const children = split(board, work, reported.children, now);
  if (isRefusal(children)) return refuseWith(children);
  const { outcome } = reported;
  const result = withPullRequest(board, thread, reported);
  const refusal =
    verdictRule(task, result) ?? pullRequestRule(outcome, result) ?? rerouteRule(board, reported);
  if (refusal) return refuseWith(refusal);
  const summary = reasonFor(reported, outcome);
  const state: TaskState = { is: 'completed', since: now.at, outcome, summary };
  const ending: Ending = { at: now.at, how: 'completed', outcome, result };
  const ended = { type: 'RunEnded', run: run.id, ending, task: state } as const;
  const done =
    !reported.reroute &&
    isLast(thread, task.id) &&
    children.length === 0 &&
    !opensPullRequest(thread, result);
  if (!done) {
    const before = [...children, ended];
    const when = { ...now, seq: board.seq + before.length + 1 };
    const after = reported.reroute
      ? rerouted(board, work, reported.reroute, when)
      : nextSteps(board, work, result, when);
    return decide(task.id, [...before, ...after]);
  }
  return decide(task.id, [
    { ...ended, done },
    ...eventsAfterCompletion(board, thread.id, now.at),
    ...commentOf(work, result),
  ]);
}

/** The answer of an agent that only reads stands on the issue. */
function commentOf(
  { run, task, thread }: Work,
  { details, summary }: Result,
): readonly HallEvent[] {
  const { issue } = thread.forge;
  if (!endsInComment(task.skill) || issue?.repo === undefined) return [];
  const text = withoutMentions(details ?? summary).slice(0, MAX_COMMENT);
  const { repo, number } = issue;
  return [{ type: 'ReplyQueued', reply: { key: `run-${run.id}`, repo, number, text } }];
}

/** Forges take a little more than 65,000 characters. */
const MAX_COMMENT = 60_000;

/**
 * Workers push branches and the hall opens pull requests. In a folder it is the hall's own, once, under
 * the thread's number; on a connected forge the hall opens it there after this report.
 */
function withPullRequest(
  board: Board,
  { id, project, forge }: Thread,
  { outcome, result }: Extract<Report, { how: 'completed' }>,
): Result {
  const settings = board.projects.get(project);
  if (outcome !== 'pr_created' || result.pr || !settings) return result;
  if (!isLocal(settings)) {
    return forgeOf(board, settings) ? { ...result, opensPullRequest: true } : result;
  }
  const own = { number: id, url: `local:${project}/pulls/${id}` };
  const { number, url } = knownPullRequest(forge.pr) ?? own;
  return { ...result, pr: { number, url } };
}

/** Rerouting assigns no worker: any worker with that name may claim, so the name must exist. */
function rerouteRule(
  board: Board,
  { reroute }: { readonly reroute?: string },
): Refusal | undefined {
  if (reroute === undefined || resolveAgentName(board, reroute)) return undefined;
  const message = unknownAgentText(board, reroute);
  return refuse('unknown_agent', message, [{ path: 'agent', message }]);
}

/** The thread is bound to the agent that gets it: it names the branch, and its type fixes the checks. */
function rerouted(
  board: Board,
  { task, thread }: Work,
  agent: string,
  when: Moment,
): readonly HallEvent[] {
  const taker = resolveAgentName(board, agent) ?? { type: agent, instance: null, agent };
  const bound: HallEvent = {
    type: 'ThreadChanged',
    thread: thread.id,
    change: { agent: taker.agent },
  };
  const rebinds = taker.agent !== thread.agent;
  const next: PostedTask = {
    id: (when.seq + (rebinds ? 1 : 0)) as TaskId,
    thread: thread.id,
    project: task.project,
    skill: IMPLEMENT,
    ...taker,
    actor: task.actor,
    reopens: null,
    state: startState(board, thread.id, when.at),
    title: `${IMPLEMENT} ${nameOf('thread', thread.id)}`,
    body: '',
  };
  return [...(rebinds ? [bound] : []), { type: 'TaskPosted', task: next, opens: null }];
}

const IMPLEMENT = 'implement';

/** The next step for the thread's pull request. */
function nextSteps(
  board: Board,
  { run, task, thread }: Work,
  result: Result,
  when: Moment,
): readonly HallEvent[] {
  const forge = afterWork(thread.forge, result, reviewerOf(board, run));
  const left = { ...thread, forge, tasks: thread.tasks.filter((id) => id !== task.id) };
  const idle = forge.pr && withoutEffect(task, thread.forge, { forge, result });
  if (idle) return [handOverToPerson(left, `${idle}: ${result.summary}`, when.at)];
  return followUp(board, left, when);
}

/** Posting the same task again would not help: such a loop costs money and never ends. */
function withoutEffect(
  { skill }: Task,
  before: Thread['forge'],
  { forge, result }: { readonly forge: Thread['forge']; readonly result: Result },
): string | undefined {
  if (skill === 'review') return result.verdict ? undefined : 'the review gave no verdict';
  const isIdle = fixesOwnWork(skill) && forge.head === before.head;
  return isIdle ? 'the last run changed nothing' : undefined;
}

/** Only a review gives a verdict: authors do not approve their own work. */
function verdictRule({ skill, id }: Task, { verdict }: Result): Refusal | undefined {
  if (!verdict || skill === 'review') return undefined;
  const mistakes = [{ path: 'verdict', message: 'only a review gives a verdict' }];
  return refuse(
    'invalid',
    `the skill of ${nameOf('task', id)} is ${skill}, which gives no verdict`,
    mistakes,
  );
}

/** The outcome `pr_created` must say where the pull request is. */
function pullRequestRule(
  outcome: CompletedOutcome,
  { pr, branch, opensPullRequest: isOpened }: Result,
): Refusal | undefined {
  if (outcome !== 'pr_created') return undefined;
  const mistakes = [
    ...(pr === null && !isOpened ? [{ path: 'pr', message: NO_LINK }] : []),
    ...(branch === null ? [{ path: 'branch', message: NO_BRANCH }] : []),
  ];
  if (mistakes.length === 0) return undefined;
  return refuse('invalid', 'the report names no pull request', mistakes);
}

const NO_LINK =
  'is missing: the outcome pr_created requires { number, url }, unless the repository is a folder or on a connected forge, where the hall opens the pull request';
const NO_BRANCH = 'is missing: the outcome pr_created requires the branch of the pull request';

function isLast(thread: Thread, task: TaskId): boolean {
  const others = thread.tasks.some((id) => id !== task);
  return !others && thread.childrenDone >= thread.children;
}

/** A thread with a pull request is done when that is merged, not when a worker says so. */
function opensPullRequest(thread: Thread, result: Result): boolean {
  return result.pr !== null || result.opensPullRequest === true || isPending(thread.forge.pr);
}

function split(
  board: Board,
  { task, thread, recalled }: Work,
  children: readonly Child[],
  now: Now,
): readonly HallEvent[] | Refusal {
  const fewest = minChildren(task.skill, thread.size);
  if (fewest === 0) {
    if (children.length === 0) return [];
    const name = nameOf('task', task.id);
    return refuse(
      'not_declared',
      `the skill of ${name} is ${task.skill}, which may not report children`,
    );
  }
  const wrong = checkChildCount(thread, fewest, children.length);
  if (wrong) return wrong;
  const auto = board.projects.get(task.project)?.settings.autoApprove ?? false;
  const postings = children.map(
    (child): Posting => ({
      ...child,
      labels: withoutSize(child.labels).filter((label) => !isHallLabel(label)),
      project: task.project,
      type: null,
      agent: null,
      size: null,
      parent: task.id,
    }),
  );
  const asker = { ...now, actor: task.actor };
  const decision = post(board, recalled, postings, asker, AMONG_CHILDREN);
  if (isRefusal(decision.answer)) return decision.answer;
  return auto ? decision.events : decision.events.map((event) => proposed(event, now.at));
}

const AMONG_CHILDREN: FieldPath = (at) => `children[${at}].`;

const NOTHING_RECALLED: ClosedWork = { task: () => undefined, thread: () => undefined };

function proposed(event: HallEvent, at: Instant): HallEvent {
  if (event.type !== 'TaskPosted') return event;
  return { ...event, task: { ...event.task, state: { is: 'proposed', since: at } } };
}
