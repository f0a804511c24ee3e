import { loadBoard } from '../../../src/board/load-board.ts';
import { Board } from '../../../src/domain/board.ts';
import type { Store } from '../../../src/ports/store.ts';
import { describeBoard } from '../../support/describe-board.ts';
import type { Ledger } from './ledger.ts';
import { isStartable } from './order-rules.ts';
import { isSameBoard } from './same-board.ts';

/** The memory of a hall, the tables and the fold of all events are one and the same board. */
export async function boardsAgree(
  fold: Board,
  store: Pick<Store, 'load'>,
  memories: readonly { readonly name: string; readonly board: Board }[],
): Promise<string | undefined> {
  const loaded = new Board();
  await loadBoard(store, loaded);
  for (const { name, board } of [{ name: 'the tables', board: loaded }, ...memories]) {
    if (!isSameBoard(fold, board)) return difference(name, board, fold);
  }
  return undefined;
}

function difference(name: string, found: Board, expected: Board): string {
  const there = new Set(describeBoard(found).split('\n'));
  const wanted = describeBoard(expected).split('\n');
  const missing = wanted.filter((line) => !there.has(line))[0];
  const extra = [...there].filter((line) => !wanted.includes(line))[0];
  return `${name} differ from the fold of the events: ${extra} instead of ${missing}`;
}

/** Indexes and counters of a board say what follows from the events by the ledger's own rules. */
export function boardIsRight(board: Board, ledger: Ledger): string | undefined {
  return (
    readyIsRight(board, ledger) ??
    countsAreRight(board, ledger) ??
    familiesAreRight(board, ledger) ??
    toolsAreRight(board, ledger)
  );
}

/** The board has the approvals of active runs and of no others. */
function toolsAreRight(board: Board, ledger: Ledger): string | undefined {
  const open = [...ledger.approvals.values()].filter(({ run }) => ledger.openRuns.has(run));
  for (const { id, answer, isUsed } of open) {
    const there = board.approvals.get(id);
    const isSame = (there?.answer?.how ?? null) === answer && (there?.usedAt !== null) === isUsed;
    if (!there || !isSame) return `approval ${id} is not ${answer}, used: ${isUsed}`;
  }
  if (board.approvals.size !== open.length) return `${board.approvals.size} approvals are kept`;
  if (board.rules.size === ledger.rules.size) return undefined;
  return `there are ${board.rules.size} rules, not ${ledger.rules.size}`;
}

function readyIsRight(board: Board, ledger: Ledger): string | undefined {
  const ready = new Set<number>();
  for (const [, , task] of board.ready.all()) ready.add(task);
  for (const task of ledger.openTasks.values()) {
    const thread = ledger.threads.get(task.thread);
    const expected = thread !== undefined && isStartable(ledger, task, thread);
    if (ready.delete(task.id) === expected) continue;
    return `task ${task.id} is ${expected ? 'not ' : ''}in the ready set`;
  }
  const [stranger] = ready;
  return stranger === undefined ? undefined : `task ${stranger} is in the ready set and not open`;
}

function countsAreRight(board: Board, ledger: Ledger): string | undefined {
  const running = new Map<string, number>();
  for (const { project, instance } of ledger.openRuns.values()) {
    running.set(`in ${project}`, (running.get(`in ${project}`) ?? 0) + 1);
    running.set(`as ${instance}`, (running.get(`as ${instance}`) ?? 0) + 1);
  }
  for (const name of ledger.projects.keys()) {
    if ((board.runningIn.get(name) ?? 0) !== (running.get(`in ${name}`) ?? 0)) {
      return `project ${name} does not run ${board.runningIn.get(name)}`;
    }
  }
  for (const name of ledger.instances.keys()) {
    if ((board.runningAs.get(name) ?? 0) !== (running.get(`as ${name}`) ?? 0)) {
      return `instance ${name} does not run ${board.runningAs.get(name)}`;
    }
  }
  for (const [handle, { used, reserved }] of ledger.invokers) {
    const there = board.invokers.get(handle);
    if (there?.used === used && there.reserved === reserved) continue;
    return `${handle} has used ${used} and reserved ${reserved}, not ${there?.used} and ${there?.reserved}`;
  }
  return reservationsAddUp(ledger);
}

/** The reserved credits are exactly those of the open runs. */
function reservationsAddUp(ledger: Ledger): string | undefined {
  for (const [handle, { reserved }] of ledger.invokers) {
    let open = 0;
    for (const run of ledger.openRuns.values()) {
      if (run.invoker === handle && !run.committed) open += run.credits;
    }
    if (open !== reserved) return `${handle} has reserved ${reserved}, open runs ${open}`;
  }
  return undefined;
}

/** "N of M" counts the children that were not cancelled, and those of them that are done. */
function familiesAreRight(board: Board, ledger: Ledger): string | undefined {
  for (const thread of board.threads.values()) {
    const known = ledger.threads.get(thread.id);
    if (known?.state !== 'open') return `thread ${thread.id} is open and should be ${known?.state}`;
    const states = [...known.children].map((id) => ledger.threads.get(id)?.state);
    const counted = states.filter((state) => state !== 'cancelled').length + known.grownUp;
    const done = states.filter((state) => state === 'done').length + known.grownUp;
    if (thread.children === counted && thread.childrenDone === done) continue;
    return `thread ${thread.id} has ${done} of ${counted} children, not ${thread.childrenDone} of ${thread.children}`;
  }
  return undefined;
}
