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

/** What the hall and the operator tell a worker from outside its work. */
interface Orders {
  /** Aborted when it shall take nothing more. */
  readonly drain: AbortSignal;
  /** Called with what stops the run that begins, and without when it is over. */
  readonly running: (
    run: { readonly lease: Assignment; readonly stop: AbortController } | null,
  ) => void;
}

interface Pace {
  /** How long one request for work waits at the hall. */
  readonly waitSeconds: number;
  /** After how many requests without work the worker goes; null stays. */
  readonly patience: number | null;
}

/** One worker: claims, works, reports, and again. Ends when it is drained, dismissed or has nothing to do. */
export async function workLoop(needs: WorkerNeeds, orders: Orders, pace: Pace): Promise<string> {
  const { hall: hallClient } = needs;
  let inVain = 0;
  while (!orders.drain.aborted) {
    if (pace.patience !== null && inVain >= pace.patience)
      return leave(needs, 'there was nothing to do');
    const noSpace = needs.noSpace();
    if (noSpace !== null) return leave(needs, `no run can begin on this machine: ${noSpace}`);
    const assignment = await hallClient.claim(pace.waitSeconds, orders.drain);
    inVain = assignment ? 0 : inVain + 1;
    if (!assignment) continue;
    const gone = await workOn(needs, assignment, orders);
    if (gone !== undefined) return gone;
  }
  return leave(needs, 'it was told to go');
}

async function leave({ hall: hallClient }: WorkerNeeds, because: string): Promise<string> {
  await hallClient.deregister(because);
  return because;
}

/**
 * A fault that is nobody's word on the task gives it back: the worker goes, and the hall counts the
 * loss. What comes of the task itself, or of what its agent said, would come again: it has failed.
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
      log.warn('run taken away', { run, task, because: fault.message });
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
