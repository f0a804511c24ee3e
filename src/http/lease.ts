import type { Hall } from '../board/hall.ts';
import { requireLeading } from '../board/leader.ts';
import type { Fence, RunId } from '../domain/ids.ts';
import type { Lease } from '../domain/lease.ts';
import { runIn } from '../queries/views/ids-and-times.ts';
import { type Caller, workerOf } from './caller.ts';

interface AboutRun {
  readonly params: { readonly id: string };
  readonly body: { readonly fence: number };
  readonly caller: Caller;
}

/** The lease that a worker claims to hold. Any call about its run counts as a heartbeat. */
export function leaseOf(hall: Hall, { params, body, caller }: AboutRun): Lease {
  const run: RunId = runIn(params.id);
  const worker = workerOf(caller);
  const holder = worker ?? hall.board.runs.get(run)?.worker;
  if (holder !== undefined) requireLeading(hall).liveness.heartbeat(holder);
  return { run, fence: body.fence as Fence, worker };
}
