import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import { readBoard } from '../../board/read-board.ts';
import type { PendingClaim } from '../../board/writer.ts';
import type { Claimed } from '../../domain/claiming.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/refusal.ts';
import { whyIdle } from '../../domain/why-idle.ts';
import type { ClaimResponses } from '../../queries/claim-response.ts';
import { workerIn } from '../../queries/views/ids-and-times.ts';
import { isOwnPath } from '../authorize.ts';
import { problem } from '../problem.ts';
import type { Operations, RequestContext } from '../request-context.ts';

/** Reasons to wait that are not the worker's mistake. */
const WAITING_CODES: ReadonlySet<RefusalCode> = new Set([
  'nothing_claimable',
  'hall_paused',
  'hall_draining',
  'instance_paused',
  'instance_at_capacity',
  'worker_draining',
]);

export function claimRoutes(hall: Hall, answers: ClaimResponses) {
  return {
    claimTask: async (context) => {
      const { worker: name, wait_seconds, explain } = context.body;
      if (!isOwnPath(context.caller, name)) return notYourWorker(name);
      const worker = workerIn(name);
      const { writer, liveness } = requireLeading(hall);
      if (!hall.board.workers.has(worker)) return unknownWorker(name);
      liveness.heartbeat(worker);
      const pending = writer.claim({ meta: context.meta, worker, wait: wait_seconds * 1000 });
      const claimed = await claimedBy(context, pending);
      liveness.heartbeat(worker);
      if (!isRefusal(claimed)) {
        const body = await answers.answer(claimed);
        return body ? { status: 200, body } : { status: 204 };
      }
      if (!WAITING_CODES.has(claimed.refused)) return claimed;
      if (!explain) return { status: 204 };
      const reasons = await readBoard(hall, (board) => {
        const row = board.workers.get(worker);
        return row ? whyIdle(board, row, writer.waiters) : [];
      });
      return { status: 200, body: { run: null, reasons } };
    },
  } satisfies Pick<Operations, 'claimTask'>;
}

/** Cancels the claim when the client disconnects. */
export async function claimedBy(
  { response }: Pick<RequestContext<'claimTask'>, 'response'>,
  pending: PendingClaim,
): Promise<Claimed | Refusal> {
  // The client may have disconnected before the claim; `close` is not emitted twice.
  if (response.destroyed) pending.cancel();
  else response.once('close', pending.cancel);
  const claimed = await pending.claimed;
  response.removeListener('close', pending.cancel);
  return claimed;
}

export function unknownWorker(name: string) {
  return refuse(
    'unknown_worker',
    `${name} is not registered, or was dismissed; register with POST /v1/workers`,
  );
}

export function notYourWorker(name: string) {
  return problem('forbidden', `this is not the token of ${name}`);
}
