import type { NeedsPerson } from '../api/overview.ts';
import { shownCommand } from '../api/shown-command.ts';
import { isOpenApproval } from '../domain/approval.ts';
import type { Board } from '../domain/board.ts';
import { isWaitingForBase } from '../domain/checking/compare-with-base.ts';
import { type Instant, nameOf, type TaskId, type ThreadId } from '../domain/ids.ts';
import { mergeNeedsPerson, mergeWait } from '../domain/merging/policy.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import { isAwaitingInput, isRejected, type Task, type TaskState } from '../domain/task.ts';
import type { Thread } from '../domain/thread.ts';
import type { Reads } from '../ports/store.ts';
import { taskName, threadName, timeOf } from './views/ids-and-times.ts';

/** A need before its title is read from the store. */
export interface Need extends Omit<NeedsPerson, 'title' | 'since'> {
  readonly since: Instant;
  readonly of: { readonly task: TaskId } | { readonly thread: ThreadId };
}

/** What only a person can move on, from the open work in memory. */
export function needsIn(board: Board): readonly Need[] {
  return [...approvals(board), ...tasks(board), ...threads(board)];
}

function approvals(board: Board): readonly Need[] {
  return [...board.approvals.values()].filter(isOpenApproval).map((approval) => {
    const { id, task, project, askedAt, command } = approval;
    const name = nameOf('approval', id);
    return {
      kind: 'approval',
      id: name,
      of: { task },
      project,
      since: askedAt,
      because: shownCommand(command),
      command: operatorCommand('approvals approve', name),
    };
  });
}

function tasks(board: Board): readonly Need[] {
  const proposed = new Map<ThreadId, Task[]>();
  const needs: Need[] = [];
  for (const id of board.tasksForPerson.keys()) {
    const task = board.tasks.get(id);
    if (!task) continue;
    if (isAwaitingInput(task.state)) needs.push(question(task, task.state.question));
    else {
      const group = board.threads.get(task.thread)?.parent ?? task.thread;
      proposed.set(group, [...(proposed.get(group) ?? []), task]);
    }
  }
  return [...needs, ...[...proposed].map(([parent, parts]) => proposal(parent, parts))];
}

function question({ id, project, state }: Task, asked: string): Need {
  const name = taskName(id);
  return {
    kind: 'question',
    id: name,
    of: { task: id },
    project,
    since: state.since,
    because: asked,
    command: operatorCommand('task answer', name, '"…"'),
  };
}

/** One decomposition is one need, however many tasks it proposes: a person reads them before approving. */
function proposal(parent: ThreadId, parts: readonly Task[]): Need {
  const count = parts.length === 1 ? '1 proposed task' : `${parts.length} proposed tasks`;
  return {
    kind: 'proposal',
    id: threadName(parent),
    of: { thread: parent },
    project: parts[0]?.project ?? '',
    since: Math.min(...parts.map(({ state }) => state.since)),
    because: `${count} to approve`,
    command: operatorCommand('thread show', threadName(parent)),
  };
}

function threads(board: Board): readonly Need[] {
  return [...board.notableThreads.keys()].flatMap((id) => {
    const thread = board.threads.get(id);
    return thread ? needOf(board, thread) : [];
  });
}

function needOf(board: Board, thread: Thread): readonly Need[] {
  const { id, project, handedOver, openedAt } = thread;
  const name = threadName(id);
  const common = { id: name, of: { thread: id }, project };
  if (handedOver) {
    const because = handedOver.because ?? `handed over by ${handedOver.by}`;
    const command = isWaitingForBase(thread)
      ? operatorCommand('thread recheck', name)
      : operatorCommand('thread handback', name);
    return [{ ...common, kind: 'handed_over', since: handedOver.since, because, command }];
  }
  if (!mergeNeedsPerson(board, thread)) return [];
  const because = mergeWait(board, thread) ?? 'waits for a person';
  const command = operatorCommand('thread merge', name);
  return [{ ...common, kind: 'pull_request', since: openedAt, because, command }];
}

/** Failures are news for a week; after that they are history. */
const NEWS_FOR = 7 * 24 * 3_600_000;

/** Of the last failed and rejected tasks, those that ended their thread and that nothing has followed. */
export function failureNeeds(
  failed: readonly Task[],
  threadOf: (id: ThreadId) => Thread | undefined,
  now: Instant,
): readonly Need[] {
  const newest = new Map<ThreadId, Task>();
  for (const task of failed.toSorted((a, b) => a.id - b.id)) {
    const isNews = now - task.state.since < NEWS_FOR;
    if (isNews && threadOf(task.thread)?.state === 'ended') newest.set(task.thread, task);
  }
  return [...newest.values()].map(failureNeed);
}

function failureNeed({ id, project, state }: Task): Need {
  const name = taskName(id);
  return {
    kind: isRejected(state) ? 'rejected' : 'failed',
    id: name,
    of: { task: id },
    project,
    since: state.since,
    because: reasonOf(state),
    command: operatorCommand('task reopen', name),
  };
}

function reasonOf(state: TaskState): string {
  if ('rejection' in state) return state.rejection.message;
  return 'summary' in state ? state.summary : '';
}

/** With titles, longest waiting first, and each reason cut to its first line. */
export async function withTitles(
  store: Reads,
  needs: readonly Need[],
  most: number,
): Promise<readonly NeedsPerson[]> {
  const sorted = needs.toSorted((a, b) => a.since - b.since).slice(0, most);
  const taskIds = sorted.flatMap(({ of }) => ('task' in of ? [of.task] : []));
  const threadIds = sorted.flatMap(({ of }) => ('thread' in of ? [of.thread] : []));
  const [texts, records] = await Promise.all([
    store.textsOf(taskIds),
    store.threadsById(threadIds),
  ]);
  const titles = new Map(records.map(({ thread, title }) => [thread.id, title]));
  return sorted.map(({ of, since, because, command, ...need }) => ({
    ...need,
    title: ('task' in of ? texts.get(of.task)?.title : titles.get(of.thread)) ?? '',
    since: timeOf(since),
    because: because.trim().split('\n', 1)[0] ?? '',
    command,
  }));
}
