import { hasCredit, pausedFor, writes } from './claim-conditions.ts';
import { decisiveLabels, isTaker } from './label-rules.ts';
import type { Ledger, LedgerTask, LedgerThread, LedgerWorker } from './ledger.ts';

type Place = readonly [LedgerTask, LedgerThread];

/** Within a project the oldest thread comes first, then the oldest task, among tasks with equal takers. */
export function oldestFirst(ledger: Ledger, task: LedgerTask, worker: LedgerWorker): void {
  const own = ledger.threads.get(task.thread);
  if (!own) return;
  for (const other of ledger.openTasks.values()) {
    if (other.project !== task.project || !isBefore(other, task)) continue;
    const thread = ledger.threads.get(other.thread);
    if (!thread || !isStartable(ledger, other, thread)) continue;
    if (!wouldTake(ledger, worker, [other, thread], [task, own])) continue;
    ledger.fail(`worker ${worker.id} takes task ${task.id} before the older task ${other.id}`);
  }
}

function isBefore(a: LedgerTask, b: LedgerTask): boolean {
  return a.thread < b.thread || (a.thread === b.thread && a.id < b.id);
}

/**
 * Certainly may take it: it asks for this instance, or labels have no say, or they say the same as
 * of the task that was taken, so that whatever let the worker have that one lets it have this one.
 */
function wouldTake(
  ledger: Ledger,
  worker: LedgerWorker,
  [other, thread]: Place,
  taken?: Place,
): boolean {
  const instance = ledger.instances.get(worker.instance);
  if (!instance || !isTaker(ledger, other, thread, instance)) return false;
  if (other.instance !== null) return true;
  const labels = decisiveLabels(ledger, other.type, thread);
  if (labels === '') return true;
  if (!taken || taken[0].instance !== null || taken[0].waited !== other.waited) return false;
  return decisiveLabels(ledger, other.type, taken[1]) === labels;
}

/** Could it start now, if some worker may claim it? */
export function isStartable(ledger: Ledger, task: LedgerTask, thread: LedgerThread): boolean {
  if (task.state !== 'available' || thread.isHandedOver) return false;
  for (const id of thread.runs) {
    const run = ledger.openRuns.get(id);
    if (run && excludes(task, run)) return false;
  }
  for (const id of thread.open) {
    const other = ledger.openTasks.get(id);
    if (!other || other.id >= task.id || other.state !== 'available') continue;
    if (excludes(task, other)) return false;
  }
  return true;
}

function excludes(a: { agent: string; skill: string }, b: { agent: string; skill: string }) {
  return a.agent === b.agent || (writes(a.skill) && writes(b.skill));
}

/**
 * Between projects the claim rotates. A hall that began anew knows only whom its open runs serve, so
 * a project may be passed over once by each other project for every beginning.
 */
export function leastRecentlyServed(ledger: Ledger, task: LedgerTask, worker: LedgerWorker): void {
  const { passedOver, terms, termServed } = ledger;
  passedOver.set(task.project, 0);
  termServed.set(task.project, terms);
  const others = ledger.projects.size - 1;
  for (const name of ledger.projects.keys()) {
    if (name === task.project || !couldServe(ledger, name, worker)) continue;
    const times = (passedOver.get(name) ?? 0) + 1;
    passedOver.set(name, times);
    const most = others * (1 + terms - (termServed.get(name) ?? 0));
    if (times > most) ledger.fail(`project ${name} was passed over ${times} times`);
  }
}

/** Considers only tasks that no label keeps from this worker. */
function couldServe(ledger: Ledger, project: string, worker: LedgerWorker): boolean {
  if (pausedFor(ledger, project, worker)) return false;
  if (!hasCredit(ledger, project, worker)) return false;
  for (const task of ledger.openTasks.values()) {
    if (task.project !== project || task.state !== 'available') continue;
    const thread = ledger.threads.get(task.thread);
    if (!thread || !isStartable(ledger, task, thread)) continue;
    if (wouldTake(ledger, worker, [task, thread])) return true;
  }
  return false;
}
