import type { Board } from './board.ts';
import { hold } from './evolve-run.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { labelsAsked } from './routing.ts';
import type { Row } from './row.ts';
import type { Run } from './run.ts';
import { type Held, isClosed, type Task } from './task.ts';
import { isOpen, type Thread } from './thread.ts';
import { putIn } from './thread-queue.ts';

/**
 * Puts a row that was loaded into a fresh board. The rows come in the order the store promises:
 * a thread before its tasks, a task before the run that holds it.
 */
export function place(board: Board, row: Row): void {
  switch (row.table) {
    case 'thread':
      if (isOpen(row.row)) board.threads.set(row.key, row.row);
      return;
    case 'task':
      return placeTask(board, row.row);
    case 'run':
      if (row.row.ending === null) placeRun(board, row.row);
      return;
    case 'worker':
      if (row.row.gone === null) board.workers.set(row.key, row.row);
      return;
    case 'note':
      return;
    default:
      return placeKept(board, row);
  }
}

type KeptRow = Extract<
  Row,
  { table: 'hall' | 'project' | 'tally' | 'type' | 'instance' | 'invoker' | 'token' }
>;

function placeKept(board: Board, row: KeptRow): void {
  if (row.row === null) return;
  switch (row.table) {
    case 'hall':
      return board.setHall(row.row);
    case 'project':
      return board.projects.set(row.key, row.row);
    case 'tally':
      return board.tallies.set(row.key, row.row);
    case 'type':
      return board.types.set(row.key, row.row);
    case 'invoker':
      return board.invokers.set(row.key, row.row);
    case 'token':
      return board.tokens.set(row.key, row.row);
    case 'instance': {
      board.instances.set(row.key, row.row);
      const asked = labelsAsked(board, row.row.type);
      if (asked) board.asked.set(row.row.type, asked);
    }
  }
}

function placeTask(board: Board, task: Task): void {
  if (isClosed(task.state)) return;
  board.tasks.set(task.id, task);
  const thread = board.threads.get(task.thread);
  if (thread) board.threads.set(thread.id, { ...thread, tasks: withTask(thread, task.id) });
}

/** Nearly all threads have one task, and an array that grew by a push keeps room for sixteen more. */
function withTask({ tasks }: Thread, id: TaskId): readonly TaskId[] {
  return tasks.length === 0 ? [id] : [...tasks, id];
}

function placeRun(board: Board, run: Run): void {
  hold(board, run, stateHeldBy(run));
  board.served.set(run.project, run.id);
}

/** What a task is while this run holds it. */
export function stateHeldBy({
  id,
  claimedAt,
  startedAt,
}: Pick<Run, 'id' | 'claimedAt' | 'startedAt'>): Held {
  return startedAt === null
    ? { is: 'claimed', since: claimedAt, run: id }
    : { is: 'running', since: startedAt, run: id };
}

/** After the last row: works out what follows from all of them, and the board is as it was left. */
export function settleLoaded(board: Board): void {
  countOpen(board);
  followAll(board);
  for (const thread of board.threads.values()) putIn(board, thread);
  board.commit();
}

function countOpen(board: Board): void {
  const counts = new Map<string, number>();
  for (const { project } of board.tasks.values())
    counts.set(project, (counts.get(project) ?? 0) + 1);
  for (const [project, count] of counts) board.openIn.set(project, count);
}

function followAll(board: Board): void {
  const dependents = new Map<ThreadId, ThreadId[]>();
  for (const { id, waits } of board.threads.values()) {
    for (const wait of waits) {
      const others = dependents.get(wait);
      if (others) others.push(id);
      else dependents.set(wait, [id]);
    }
  }
  for (const [id, others] of dependents) board.dependents.set(id, others);
}
