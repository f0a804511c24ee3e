import { CellRefused } from '../ports/cell.ts';
import {
  type Assignment,
  LeaseLost,
  RequestRefused,
  WorkerDismissed,
} from '../ports/hall-client.ts';
import { failureReport } from './finish-run.ts';
import type { WorkerNeeds } from './needs.ts';
import { runTask } from './run-task.ts';

/** Orders of the hall and the operator to a worker. */
export interface Orders {
  /** Aborted when the worker must claim no more tasks. */
  readonly drain: AbortSignal;
  /** Called with the controller that stops a run when it begins, and with null when it is over. */
  readonly running: (
    run: { readonly lease: Assignment; readonly stop: AbortController } | null,
  ) => void;
}

interface Pace {
  /** How long the hall may hold one claim request. */
  readonly waitSeconds: number;
  /** The worker exits after this many claims without a task; null never exits. */
  readonly patience: number | null;
}

/** Claims, works and reports in a loop, until the worker is drained, dismissed or out of work. */
export async function workLoop(needs: WorkerNeeds, orders: Orders, pace: Pace): Promise<string> {
  const { hall: hallClient } = needs;
  let emptyClaims = 0;
  while (!orders.drain.aborted) {
    if (pace.patience !== null && emptyClaims >= pace.patience)
      return leave(needs, 'there was no work');
    const noSpace = needs.noSpace();
    if (noSpace !== null) return leave(needs, `no run can start on this machine: ${noSpace}`);
    const assignment = await hallClient.claim(pace.waitSeconds, orders.drain);
    emptyClaims = assignment ? 0 : emptyClaims + 1;
    if (!assignment) continue;
    const reason = await workOn(needs, assignment, orders);
    if (reason !== undefined) return reason;
  }
  return leave(needs, 'it was drained');
}

async function leave({ hall: hallClient }: WorkerNeeds, because: string): Promise<string> {
  await hallClient.deregister(because);
  return because;
}

/**
 * A fault that says nothing about the task gives it back: the worker exits, and the hall counts a crash.
 * A fault caused by the task or by its agent's input would recur, so the task fails.
 */
async function workOn(
  needs: WorkerNeeds,
  assignment: Assignment,
  orders: Orders,
): Promise<string | undefined> {
  const { log, hall: hallClient } = needs;
  const stop = new AbortController();
  const { run, task, project } = assignment;
  orders.running({ lease: assignment, stop });
  log.info('task claimed', { run, task, project });
  try {
    await runTask(needs, assignment, stop);
    log.info('task reported', { run, task, project });
    return undefined;
  } catch (fault) {
    if (fault instanceof WorkerDismissed) return fault.message;
    if (fault instanceof LeaseLost) {
      log.warn('lease lost', { run, task, because: fault.message });
      return undefined;
    }
    const because = fault instanceof Error ? fault.message : String(fault);
    log.error('run failed', { run, task, because });
    if (fault instanceof CellRefused || fault instanceof RequestRefused) {
      await hallClient.report(assignment, failureReport(because));
      return undefined;
    }
    await hallClient.fail(because);
    return because;
  } finally {
    orders.running(null);
  }
}
