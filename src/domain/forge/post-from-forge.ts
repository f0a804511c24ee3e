import { resolveAgentName } from '../agent-name.ts';
import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import { edit } from '../editing.ts';
import type { HallEvent, PostedTask } from '../event.ts';
import { nameOf, type TaskId, type ThreadId } from '../ids.ts';
import { type Posting, post } from '../posting.ts';
import { nextTaker } from '../pull-request-follow-up.ts';
import { isRefusal } from '../refusal.ts';
import { reopen } from '../reopening.ts';
import { isHeld } from '../task.ts';
import { NOT_ON_FORGE, type Thread, type ThreadOnForge } from '../thread.ts';
import type { ReadPosition } from './issue-record.ts';
import { type LookResult, recordOf, seenEvents, triggeredEvent } from './look-result.ts';
import type { Account, IssueSnapshot, PullSnapshot } from './snapshot.ts';
import { targetOf, targetRefusal } from './target-repository.ts';
import { isBudgetSpent, stopLoop } from './trigger-budget.ts';

interface ForgeTask {
  readonly skill: string;
  /** The slug that was asked for; null leaves it to the skill. */
  readonly agent: string | null;
  /** What the task says beyond the issue; empty for the issue itself. */
  readonly body: string;
  /** Who asks for it. */
  readonly by: Account | null;
  /** What the look has read once the task is posted. */
  readonly seen: Partial<ReadPosition>;
}

/**
 * Posts work for an issue or a pull request. One issue is one thread: an open one is joined, a closed one is
 * reopened. The title and body are those at the time of the look, and stay so.
 */
export function postFromForge(
  board: Board,
  closed: ClosedWork,
  result: LookResult,
  task: ForgeTask,
  now: Now,
): Decision<ThreadId | null> {
  const record = recordOf(board, result);
  const open = record.thread === null ? undefined : board.threads.get(record.thread);
  if (isBudgetSpent(record, now.at)) {
    return decide(null, [...stopLoop(open, now.at), ...seenEvents(record, task.seen)]);
  }
  const target = targetOf(board, result);
  const refusal = target && targetRefusal(board, result, { target, task });
  if (refusal) {
    const { repo, number } = result;
    const reply = { key: `target-${number}-${board.seq}`, repo, number, text: refusal };
    return decide(null, [{ type: 'ReplyQueued', reply }, ...seenEvents(record, task.seen)]);
  }
  if (open) {
    return (
      rebind(board, closed, { open, task, result }, now) ?? join(board, { open, task, result }, now)
    );
  }
  const before = record.thread === null ? undefined : closed.thread(record.thread);
  if (before) return postAgain(board, closed, { before, task, result }, now);
  return postNew(board, closed, { task, result }, now);
}

interface Joining {
  readonly open: Thread;
  readonly task: ForgeTask;
  readonly result: LookResult;
}

/** A source asked for the issue and for nobody: while it waits, whoever is named now does that same work. */
function rebind(
  board: Board,
  closed: ClosedWork,
  { open, task, result }: Joining,
  now: Now,
): Decision<ThreadId> | undefined {
  const { skill, agent, seen } = task;
  if (skill !== 'implement' || agent === null || !board.itemOf.has(open.id)) return undefined;
  const waiting = open.tasks
    .flatMap((id) => board.tasks.get(id) ?? [])
    .find((each) => each.skill === skill && !isHeld(each.state));
  if (!waiting) return undefined;
  const edited = edit(board, closed, { task: waiting.id, change: { agent } }, now);
  if (isRefusal(edited.answer)) return undefined;
  const triggered = { seen, thread: open.id, at: now.at };
  return decide(open.id, [...edited.events, triggeredEvent(recordOf(board, result), triggered)]);
}

function join(board: Board, { open, task, result }: Joining, now: Now): Decision<ThreadId> {
  const record = recordOf(board, result);
  if (isUnderWay(board, open, task)) return decide(open.id, seenEvents(record, task.seen));
  const posted = taskIn(board, open, task, { id: (board.seq + 1) as TaskId, now });
  const triggered = triggeredEvent(record, { seen: task.seen, thread: open.id, at: now.at });
  return decide(open.id, [{ type: 'TaskPosted', task: posted, opens: null }, triggered]);
}

/** The same agent has the same work in the thread already. */
function isUnderWay(board: Board, { tasks }: Thread, { skill, agent }: ForgeTask): boolean {
  const slug = agent === null ? null : resolveAgentName(board, agent)?.agent;
  return tasks
    .map((id) => board.tasks.get(id))
    .some((task) => task?.skill === skill && (slug === null || task.agent === slug));
}

function taskIn(
  board: Board,
  thread: Thread,
  { skill, agent, body }: ForgeTask,
  { id, now }: { readonly id: TaskId; readonly now: Now },
): PostedTask {
  const named = agent === null ? undefined : resolveAgentName(board, agent);
  return {
    id,
    thread: thread.id,
    project: thread.project,
    skill,
    ...(named ?? nextTaker(board, thread, skill)),
    actor: now.actor,
    reopens: null,
    state: { is: thread.blockedBy.length > 0 ? 'blocked' : 'available', since: now.at },
    title: `${skill} ${nameOf('thread', thread.id)}`,
    body,
  };
}

interface PostingAgain {
  readonly before: Thread;
  readonly task: ForgeTask;
  readonly result: LookResult;
}

/** The first task of a thread has its number, and is what was asked for in it. */
function postAgain(
  board: Board,
  closed: ClosedWork,
  { before, task, result }: PostingAgain,
  now: Now,
): Decision<ThreadId | null> {
  const { title, body } = textOf(result.snapshot);
  const first = before.id as number as TaskId;
  const decision = reopen(board, closed, { task: first, title, body }, now);
  if (isRefusal(decision.answer)) return { events: [], answer: decision.answer };
  const events = decision.events.map((event) => withAgent(board, event, task));
  const { seen } = task;
  const triggered = { seen, thread: before.id, at: now.at };
  return decide(before.id, [...events, triggeredEvent(recordOf(board, result), triggered)]);
}

/** A thread that is asked for again is bound to whoever is asked for now. */
function withAgent(board: Board, event: HallEvent, { agent, skill }: ForgeTask): HallEvent {
  const named = agent === null ? undefined : resolveAgentName(board, agent);
  if (event.type === 'ThreadReopened') {
    const { thread } = event;
    const agent = named?.agent ?? thread.agent;
    return {
      ...event,
      thread: { ...thread, agent, handedOver: null, forge: afresh(thread.forge) },
    };
  }
  if (event.type !== 'TaskPosted') return event;
  return { ...event, task: { ...event.task, ...named, skill } };
}

/**
 * Its work starts over: on its branch, unless that was merged. The next push finds the pull request if people have
 * reopened it, and opens another if they have not.
 */
function afresh({ issue, pr, branch, head, written }: ThreadOnForge): ThreadOnForge {
  const cards = written?.issueCard && { written: { issueCard: written.issueCard } };
  const isMerged = pr?.state === 'merged';
  return { ...NOT_ON_FORGE, issue, branch, head: isMerged ? null : head, ...cards };
}

function postNew(
  board: Board,
  closed: ClosedWork,
  { task, result }: { readonly task: ForgeTask; readonly result: LookResult },
  now: Now,
): Decision<ThreadId | null> {
  const { repo, snapshot } = result;
  const { title, body, number, url, labels } = textOf(snapshot);
  const target = targetOf(board, result);
  const isElsewhere = target !== null && { isElsewhere: true as const };
  const posting: Posting = {
    project: target?.project?.name ?? result.project.name,
    title,
    body,
    skill: task.skill,
    type: null,
    agent: task.agent,
    labels,
    size: null,
    dependsOn: [],
    ref: null,
    parent: null,
    issue: { number, url, repo, ...isElsewhere, actor: now.actor },
  };
  const decision = post(board, closed, [posting], now);
  if (isRefusal(decision.answer)) return { events: [], answer: decision.answer };
  const thread = decision.answer[0]?.thread ?? null;
  const triggered = { seen: task.seen, thread, at: now.at };
  return decide(thread, [...decision.events, triggeredEvent(recordOf(board, result), triggered)]);
}

interface Text {
  readonly title: string;
  readonly body: string;
  readonly number: number;
  readonly url: string;
  readonly labels: readonly string[];
}

function textOf({ issue, pull }: LookResult['snapshot']): Text {
  const source: IssueSnapshot | PullSnapshot | null = issue ?? pull;
  if (source === null) throw new Error('a look that found nothing posts nothing');
  const { title, body, number, url } = source;
  return { title, body, number, url, labels: routingLabels({ issue, pull }) };
}

/** The labels of issue and pull request together, without the hall's own. */
export function routingLabels({ issue, pull }: LookResult['snapshot']): readonly string[] {
  const names = [...(issue?.labels ?? []), ...(pull?.labels ?? [])].map(({ name }) => name);
  return [...new Set(names)].filter((name) => !name.startsWith('hall:')).sort();
}
