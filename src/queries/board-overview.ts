import type { Board as BoardOut } from '../api/overview.ts';
import type { Hall } from '../board/hall.ts';
import { readBoard } from '../board/read-board.ts';
import type { Board } from '../domain/board.ts';
import type { Instant, TaskId, ThreadId } from '../domain/ids.ts';
import { CLOSED_STATES, isHeld, isHeldState, OPEN_STATES } from '../domain/task.ts';
import { progressOf, type Thread } from '../domain/thread.ts';
import type { Reads } from '../ports/store.ts';
import { failureNeeds, type Need, needsIn, withTitles } from './needs-person.ts';
import { listTasks, withThreads } from './task-list.ts';
import type { Past } from './time-travel.ts';
import { figuresView } from './views/board.ts';
import { taskIn, threadName } from './views/ids-and-times.ts';
import { UNKNOWN_LIVENESS } from './views/pool.ts';
import { taskView } from './views/task.ts';
import type { WhyNeeds } from './why-not-running.ts';
import { workerLiveness } from './worker-liveness.ts';

/** An overview is read at a glance; the lists of tasks and threads have the rest. */
const MOST_NEEDS = 50;
const MOST_PARENTS = 50;
const MOST_TASKS = 20;

const NOT_HELD = OPEN_STATES.filter((state) => !isHeldState(state));

/** The board now: what needs a person, then tasks and figures. */
export async function boardNow({ hall, machine }: WhyNeeds): Promise<BoardOut> {
  const { store, clock } = hall;
  const unable = machine().recruiting?.unable ?? [];
  const liveness = await workerLiveness(hall);
  const { figures, needs, parents, active } = await readBoard(hall, (board) => ({
    figures: figuresView(board, clock.now(), { liveness, unable }),
    needs: needsIn(board),
    parents: parentsIn(board),
    active: activeIn(board),
  }));
  const failed = await failedNow(store, clock.now());
  return {
    ...figures,
    ...(await needsView(store, [...needs, ...failed])),
    parents: await parentsView(store, parents),
    tasks: await tasksNow(hall, active),
  };
}

/** The board at a past time, with the titles of today. */
export async function boardThen(store: Reads, past: Past, at: Instant): Promise<BoardOut> {
  const { board, closed } = past;
  const threadOf = threadsOf(past);
  const needs = [...needsIn(board), ...failureNeeds(closed.failed(), threadOf, at)];
  return {
    ...figuresView(board, at, { liveness: UNKNOWN_LIVENESS, unable: [] }),
    ...(await needsView(store, needs)),
    parents: await parentsView(store, parentsIn(board)),
    tasks: await tasksThen(store, past, at),
  };
}

function threadsOf({ board, closed }: Past): (id: ThreadId) => Thread | undefined {
  return (id) => board.threads.get(id) ?? closed.thread(id);
}

async function failedNow(store: Reads, now: Instant): Promise<readonly Need[]> {
  const { rows } = await store.tasks({ states: ['failed', 'rejected'], limit: MOST_TASKS });
  const tasks = rows.map(({ task }) => task);
  const records = await store.threadsById([...new Set(tasks.map(({ thread }) => thread))]);
  const threads = new Map(records.map(({ thread }) => [thread.id, thread]));
  return failureNeeds(tasks, (id) => threads.get(id), now);
}

async function needsView(store: Reads, needs: readonly Need[]) {
  const listed = await withTitles(store, needs, MOST_NEEDS);
  return { needs_person: [...listed], needs_person_more: needs.length > listed.length };
}

type Parent = Pick<BoardOut['parents'][number], 'project' | 'children' | 'children_done'> & {
  readonly id: ThreadId;
  readonly progress: string;
};

function parentsIn(board: Board): readonly Parent[] {
  const parents: Parent[] = [];
  for (const id of board.notableThreads.keys()) {
    const thread = board.threads.get(id);
    const progress = thread ? progressOf(thread) : null;
    if (!thread || progress === null) continue;
    const { project, children, childrenDone } = thread;
    parents.push({ id, project, children, children_done: childrenDone, progress });
  }
  return parents.slice(0, MOST_PARENTS);
}

async function parentsView(store: Reads, parents: readonly Parent[]) {
  const records = await store.threadsById(parents.map(({ id }) => id));
  const titles = new Map(records.map(({ thread, title }) => [thread.id, title]));
  return parents.map((parent) => ({
    ...parent,
    id: threadName(parent.id),
    title: titles.get(parent.id) ?? '',
  }));
}

/** The tasks that workers hold, the longest held first. */
function activeIn(board: Board): readonly TaskId[] {
  return [...board.runs.values()].slice(0, MOST_TASKS).map(({ task }) => task);
}

async function tasksNow(hall: Hall, active: readonly TaskId[]): Promise<BoardOut['tasks']> {
  const { store } = hall;
  const held = await withThreads(store, await store.tasksById(active));
  const open = await rest(held.length, async (limit) => {
    const { tasks } = await listTasks(hall, { state: NOT_HELD, limit });
    return tasks;
  });
  const ended = await rest(held.length + open.length, async (limit) => {
    const { rows } = await store.tasks({ states: CLOSED_STATES, limit });
    return withThreads(store, rows);
  });
  const tasks = [...held, ...open, ...ended];
  const costs = await Promise.all(tasks.map(({ id }) => costOf(store, taskIn(id))));
  return tasks.map((task, at) => ({ ...task, cost_usd: costs[at] ?? 0 }));
}

async function rest<T>(
  listed: number,
  read: (limit: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return listed < MOST_TASKS ? read(MOST_TASKS - listed) : [];
}

/** The cost of the runs of a task, or of those that had ended by a time. */
async function costOf(store: Reads, id: TaskId, by?: Instant): Promise<number> {
  const runs = await store.runsOfTask(id);
  const counted = by === undefined ? runs : runs.filter(({ ending }) => ending && ending.at <= by);
  return counted.reduce((sum, { usage }) => sum + usage.costUsd, 0);
}

async function tasksThen(store: Reads, past: Past, at: Instant): Promise<BoardOut['tasks']> {
  const { board, closed } = past;
  const active = activeIn(board).flatMap((id) => board.tasks.get(id) ?? []);
  const open = [...board.tasks.values()].filter(({ state }) => !isHeld(state));
  const tasks = [...active, ...open.toSorted((a, b) => b.id - a.id), ...closed.ended()];
  const shown = tasks.slice(0, MOST_TASKS);
  const texts = await store.textsOf(shown.map(({ id }) => id));
  const threadOf = threadsOf(past);
  return Promise.all(
    shown.map(async (task) => {
      const run = isHeld(task.state) ? board.runs.get(task.state.run) : undefined;
      const view = taskView(task, threadOf(task.thread), texts.get(task.id)?.title ?? '');
      const earlier = await costOf(store, task.id, at);
      return { ...view, cost_usd: earlier + (run?.usage.costUsd ?? 0) };
    }),
  );
}
