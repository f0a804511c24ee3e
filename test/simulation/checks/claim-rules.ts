import type { ClaimedRun } from '../../../src/domain/event.ts';
import { pausedFor, writes } from './claim-conditions.ts';
import { mayTake } from './label-rules.ts';
import type { Ledger, LedgerTask, LedgerThread, LedgerWorker } from './ledger.ts';
import { leastRecentlyServed, oldestFirst } from './order-rules.ts';

/** Checks every claim rule again on the durable state just before the claim. */
export function readClaim(ledger: Ledger, claimed: ClaimedRun): void {
  const task = ledger.openTasks.get(claimed.task);
  const worker = ledger.workers.get(claimed.worker);
  const thread = task && ledger.threads.get(task.thread);
  if (!task || !thread) return ledger.fail(`task ${claimed.task} is claimed after its end`);
  if (!worker) return ledger.fail(`worker ${claimed.worker} claims and is not registered`);
  hasOneOwner(ledger, claimed, task, worker);
  isOpenForWork(ledger, task, worker);
  threadIsFree(ledger, task, thread);
  isPaidFor(ledger, claimed, task, worker);
  mayTake(ledger, task, thread, worker);
  oldestFirst(ledger, task, worker);
  leastRecentlyServed(ledger, task, worker);
  take(ledger, claimed, task, worker);
}

function hasOneOwner(
  ledger: Ledger,
  { id, fence }: ClaimedRun,
  task: LedgerTask,
  worker: LedgerWorker,
): void {
  ledger.must(id === ledger.seq, `run ${id} is not numbered by its event`);
  ledger.must(fence > ledger.lastFence, `fence ${fence} follows ${ledger.lastFence}`);
  ledger.must(task.run === null, `task ${task.id} has two owners, runs ${task.run} and ${id}`);
  ledger.must(task.state === 'available', `task ${task.id} is claimed while ${task.state}`);
  ledger.must(worker.run === null, `worker ${worker.id} has runs ${worker.run} and ${id}`);
  ledger.must(!worker.isDraining, `worker ${worker.id} claims while draining`);
}

function isOpenForWork(ledger: Ledger, task: LedgerTask, worker: LedgerWorker): void {
  const { hall } = ledger;
  ledger.must(!hall.paused && !hall.draining, `task ${task.id} is claimed in a paused hall`);
  const shut = pausedFor(ledger, task.project, worker);
  if (shut) ledger.fail(`task ${task.id} is claimed though ${shut}`);
  const instance = ledger.instances.get(worker.instance);
  if (!instance) return ledger.fail(`${worker.instance} claims and is not in the pool`);
  const { enabled, parallel } = instance.settings;
  ledger.must(enabled && !instance.paused, `${instance.name} claims while paused`);
  const running = [...ledger.openRuns.values()].filter((run) => run.instance === instance.name);
  ledger.must(
    parallel === 0 || running.length < parallel,
    `${instance.name} runs ${running.length} of ${parallel} and claims`,
  );
}

/** At most one writing run in a thread, and one for an agent in a thread. */
function threadIsFree(ledger: Ledger, task: LedgerTask, thread: LedgerThread): void {
  const waits = [...thread.waits].join(', ');
  ledger.must(waits === '', `task ${task.id} is claimed before thread ${waits} is done`);
  ledger.must(!thread.isHandedOver, `task ${task.id} is claimed though a person has its thread`);
  for (const id of thread.runs) {
    const run = ledger.openRuns.get(id);
    if (!run) continue;
    ledger.must(run.agent !== task.agent, `${task.agent} runs twice in thread ${thread.id}`);
    const both = writes(run.skill) && writes(task.skill);
    ledger.must(!both, `two runs write in thread ${thread.id}`);
  }
}

/** The cap holds under every order of events. */
function isPaidFor(
  ledger: Ledger,
  { invoker: handle, credits }: ClaimedRun,
  task: LedgerTask,
  worker: LedgerWorker,
): void {
  if (worker.bringsModel) return ledger.must(handle === null, `${handle} pays for nothing`);
  const invoker = ledger.invokers.get(handle ?? '');
  if (!invoker) return ledger.fail(`nobody pays for task ${task.id}`);
  const { used, reserved, cap, projects, isPaused, isParked } = invoker;
  ledger.must(credits === 1, `task ${task.id} costs ${credits}`);
  ledger.must(!isPaused, `${handle} pays while paused`);
  ledger.must(!isParked, `${handle} pays while its provider lets nothing through`);
  ledger.must(!projects || projects.includes(task.project), `${handle} pays for ${task.project}`);
  ledger.must(used + reserved + credits <= cap, `${handle} is past its cap: ${used} + ${reserved}`);
}

function take(ledger: Ledger, claimed: ClaimedRun, task: LedgerTask, worker: LedgerWorker): void {
  const { id, fence, invoker, credits, limit, target = limit } = claimed;
  const { thread, project, agent, skill } = task;
  const run = {
    ...{ id, task: task.id, thread, project, worker: worker.id, instance: worker.instance },
    ...{ agent, skill, fence, invoker, credits, target, limit },
    isOverTarget: false,
    committed: false,
    startedAt: null,
    ended: null,
  };
  ledger.runs.set(id, run);
  ledger.openRuns.set(id, run);
  ledger.threads.get(thread)?.runs.add(id);
  ledger.lastFence = fence;
  task.run = id;
  task.state = 'held';
  worker.run = id;
  const payer = ledger.invokers.get(invoker ?? '');
  if (payer) payer.reserved += credits;
}
