import type { Board as BoardOut } from '../api/overview.ts';
import type { Hall } from '../board/hall.ts';
import { readBoard } from '../board/read-board.ts';
import type { Board } from '../domain/board.ts';
import type { Instant, TaskId, ThreadId } from '../domain/ids.ts';
import { CLOSED_STATES, isHeldState, OPEN_STATES } from '../domain/task.ts';
import { progressOf } from '../domain/thread.ts';
import type { Reads } from '../ports/store.ts';
import { failuresIn, type Need, needsIn, withTitles } from './needs-person.ts';
import { listTasks, withThreads } from './task-list.ts';
import { figuresView } from './views/board.ts';
import { taskIn, threadName } from './views/ids-and-times.ts';
import { UNKNOWN_LIVENESS } from './views/pool.ts';
import { taskView } from './views/task.ts';
import { workerLiveness } from './worker-liveness.ts';

/** An overview is read at a glance; the lists of tasks and threads have the rest. */
const MOST_NEEDS = 50;
const MOST_PARENTS = 50;
const MOST_TASKS = 20;

const NOT_HELD = OPEN_STATES.filter((state) => !isHeldState(state));

/** The board now: what needs a person, then tasks and figures. */
export async function boardNow(hall: Hall): Promise<BoardOut> {
  const { store, clock } = hall;
  const liveness = await workerLiveness(hall);
  const { figures, needs, parents, active } = await readBoard(hall, (board) => ({
    figures: figuresView(board, clock.now(), liveness),
    needs: needsIn(board),
    parents: parentsIn(board),
    active: activeIn(board),
  }));
  const all = [...needs, ...(await failuresIn(store, clock.now()))];
  return {
    ...figures,
    ...(await needsView(store, all)),
    parents: await parentsView(store, parents),
    tasks: await tasksNow(hall, active),
  };
}

/** The board at a past time. What had ended by then is not part of it. */
export async function boardThen(store: Reads, past: Board, at: Instant): Promise<BoardOut> {
  return {
    ...figuresView(past, at, UNKNOWN_LIVENESS),
    ...(await needsView(store, needsIn(past))),
    parents: await parentsView(store, parentsIn(past)),
    tasks: await tasksThen(store, past),
  };
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

/** The cost of all runs of a task. */
async function costOf(store: Reads, id: TaskId): Promise<number> {
  const runs = await store.runsOfTask(id);
  return runs.reduce((sum, { usage }) => sum + usage.costUsd, 0);
}

async function tasksThen(store: Reads, past: Board): Promise<BoardOut['tasks']> {
  const active = activeIn(past);
  const others = [...past.tasks.keys()].filter((id) => !active.includes(id)).toReversed();
  const ids = [...active, ...others].slice(0, MOST_TASKS);
  const texts = await store.textsOf(ids);
  return ids.flatMap((id) => {
    const task = past.tasks.get(id);
    if (!task) return [];
    const run = 'run' in task.state ? past.runs.get(task.state.run) : undefined;
    const view = taskView(task, past.threads.get(task.thread), texts.get(id)?.title ?? '');
    return [{ ...view, cost_usd: run?.usage.costUsd ?? 0 }];
  });
}
