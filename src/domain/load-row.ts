import { type Board, mark, stateKey } from './board.ts';
import { putApproval } from './evolve-approval.ts';
import { hold } from './evolve-run.ts';
import type { TaskId } from './ids.ts';
import { type Instance, withTypeDefaults } from './pool.ts';
import { withProjectDefaults } from './project.ts';
import { requestedLabels } from './routing.ts';
import type { Row } from './row.ts';
import type { Run } from './run.ts';
import { putItem } from './sources/item.ts';
import { isClosed, type Task, waitsForPerson } from './task.ts';
import { isOpen, type Thread } from './thread.ts';
import { addToQueue } from './thread-queue.ts';

/**
 * Puts a loaded row into a fresh board. The rows arrive in the order the store promises: a thread
 * before its tasks, a task before the run that holds it.
 */
export function loadRow(board: Board, row: Row): void {
  if (row.row === null) return;
  switch (row.table) {
    case 'hall':
      board.setHall(row.row);
      break;
    case 'project':
      board.projects.set(row.key, withProjectDefaults(row.row));
      break;
    case 'forge':
    case 'issue':
    case 'look':
    case 'cursor':
    case 'reply':
    case 'source':
    case 'item':
      loadForgeRow(board, row);
      break;
    case 'tally':
      board.tallies.set(row.key, row.row);
      break;
    case 'base_checks':
      board.baseResults.set(row.key, row.row);
      break;
    case 'type':
      board.types.set(row.key, withTypeDefaults(row.row));
      break;
    case 'persona':
      board.personas.set(row.key, row.row);
      break;
    case 'instance':
      placeInstance(board, row.row);
      break;
    case 'invoker':
      board.invokers.set(row.key, row.row);
      break;
    case 'token':
    case 'secret':
    case 'rule':
    case 'approval':
      loadAccessRow(board, row);
      break;
    case 'thread':
      if (isOpen(row.row)) placeThread(board, row.row);
      break;
    case 'task':
      if (!isClosed(row.row.state)) placeTask(board, row.row);
      break;
    case 'worker':
      if (row.row.deregistered === null) board.workers.set(row.key, row.row);
      break;
    case 'run':
      if (row.row.ending === null) placeRun(board, row.row);
      break;
    case 'note':
      break;
  }
}

type AccessRow = Extract<Row, { table: 'token' | 'secret' | 'rule' | 'approval' }>;

function loadAccessRow(board: Board, row: AccessRow): void {
  if (row.row === null) return;
  switch (row.table) {
    case 'token':
      board.tokens.set(row.key, row.row);
      break;
    case 'secret':
      board.secrets.set(row.key, row.row);
      break;
    case 'rule':
      board.rules.set(row.row.id, row.row);
      break;
    case 'approval':
      putApproval(board, row.row);
      break;
  }
}

type ForgeRow = Extract<
  Row,
  { table: 'forge' | 'issue' | 'look' | 'cursor' | 'reply' | 'source' | 'item' }
>;

function loadForgeRow(board: Board, row: ForgeRow): void {
  if (row.row === null) return;
  switch (row.table) {
    case 'forge':
      board.forges.set(row.key, row.row);
      break;
    case 'issue':
      board.issues.set(row.key, row.row);
      break;
    case 'look':
      board.looks.set(row.key, row.row);
      break;
    case 'cursor':
      board.cursors.set(row.key, row.row);
      break;
    case 'reply':
      board.replies.set(row.key, row.row);
      break;
    case 'source':
      board.sources.set(row.key, row.row);
      break;
    case 'item':
      putItem(board, row.row);
      break;
  }
}

function placeInstance(board: Board, instance: Instance): void {
  board.instances.set(instance.name, instance);
  const requested = requestedLabels(board, instance.type);
  if (requested) board.requestedLabels.set(instance.type, requested);
}

function placeThread(board: Board, thread: Thread): void {
  board.putThread(thread);
  if (board.threads.size % OFTEN === 0) board.journal.commit();
}

function placeTask(board: Board, task: Task): void {
  board.tasks.set(task.id, task);
  mark(board.tasksForPerson, task.id, waitsForPerson(task.state));
  const thread = board.threads.get(task.thread);
  if (thread) addTask(thread, task.id);
  if (board.tasks.size % OFTEN === 0) board.journal.commit();
}

/** Loading is never rolled back, and two million undo steps fill a gigabyte. */
const OFTEN = 1_000;

/**
 * Changes the loaded row in place, because nothing else refers to it yet. Nearly all threads have
 * one task, and an array grown by `push` reserves space for sixteen more.
 */
function addTask(thread: Thread, id: TaskId): void {
  const own: { tasks: readonly TaskId[] } = thread;
  own.tasks = own.tasks.length === 0 ? [id] : [...own.tasks, id];
}

function placeRun(board: Board, run: Run): void {
  hold(board, run);
  board.lastServed.set(run.project, run.id);
}

/** Call after the last row: derives the rest and restores the board to its last state. */
export function finishLoading(board: Board): void {
  countOpen(board);
  followAll(board);
  let placed = 0;
  for (const thread of board.threads.values()) {
    addToQueue(board, thread);
    placed += 1;
    if (placed % OFTEN === 0) board.journal.commit();
  }
  board.commit();
}

function countOpen(board: Board): void {
  const open = new Map<string, number>();
  const states = new Map<string, number>();
  for (const { project, state } of board.tasks.values()) {
    const key = stateKey(project, state.is);
    open.set(project, (open.get(project) ?? 0) + 1);
    states.set(key, (states.get(key) ?? 0) + 1);
  }
  for (const [project, count] of open) board.openIn.set(project, count);
  for (const key of [...board.inState.keys()]) board.inState.delete(key);
  for (const [key, count] of states) board.inState.set(key, count);
}

function followAll(board: Board): void {
  let followed = 0;
  for (const { id, blockedBy } of board.threads.values()) {
    for (const wait of blockedBy) board.dependents.add(wait, id);
    followed += 1;
    if (followed % OFTEN === 0) board.journal.commit();
  }
}
