import type { Hall } from '../../board/hall.ts';
import type { PendingClaim } from '../../board/writer.ts';
import type { Claimed } from '../../domain/claiming.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/refusal.ts';
import { type IdleReason, whyIdle } from '../../domain/why-idle.ts';
import type { Ask, Implementations } from '../ask.ts';
import { leadingOf, look } from '../changing.ts';
import type { ClaimAnswers } from '../claim-answer.ts';
import { isOwnPath } from '../policy.ts';
import { problem } from '../problem.ts';
import { workerIn } from '../views/plain.ts';

/** What keeps a worker waiting but is no mistake of it. */
const PATIENCE: ReadonlySet<RefusalCode> = new Set([
  'nothing_claimable',
  'hall_paused',
  'hall_draining',
  'instance_paused',
  'instance_at_capacity',
  'worker_draining',
]);

export function claimRoutes(hall: Hall, answers: ClaimAnswers) {
  return {
    claimTask: async (ask) => {
      const { worker: name, wait_seconds, explain } = ask.body;
      if (!isOwnPath(ask.caller, name)) return notYours(name);
      const worker = workerIn(name);
      const { writer, signs } = leadingOf(hall);
      if (!hall.board.workers.has(worker)) return unknownWorker(name);
      signs.beat(worker);
      const pending = writer.claim({ meta: ask.meta, worker, wait: wait_seconds * 1000 });
      const claimed = await claimedBy(ask, pending);
      signs.beat(worker);
      if (!isRefusal(claimed)) {
        const body = await answers.answer(claimed);
        return body ? { status: 200, body } : { status: 204 };
      }
      if (!PATIENCE.has(claimed.refused)) return claimed;
      if (!explain) return { status: 204 };
      const reasons = await look(hall, (board): readonly IdleReason[] => {
        const row = board.workers.get(worker);
        return row ? whyIdle(board, row, writer.waiters) : [];
      });
      return { status: 200, body: { run: null, reasons } };
    },
  } satisfies Pick<Implementations, 'claimTask'>;
}

/** A client that goes away waits no longer. */
export async function claimedBy(
  { response }: Pick<Ask<'claimTask'>, 'response'>,
  pending: PendingClaim,
): Promise<Claimed | Refusal> {
  // It may have gone while what comes before the claim was written, and does not say so twice.
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

export function notYours(name: string) {
  return problem('forbidden', `the token is not that of ${name}`);
}
