import type { Outcome } from '../../../src/board/command.ts';
import type { LeadingHall } from '../../../src/board/hall.ts';
import { isReplayed } from '../../../src/board/replay-response.ts';
import type { PendingClaim } from '../../../src/board/writer.ts';
import type { WorkerId } from '../../../src/domain/ids.ts';
import { isRefusal } from '../../../src/domain/refusal.ts';
import type { Claiming, Reply, Request } from './message.ts';
import type { HallNode } from './node.ts';

/** A worker was heard of by the node that leads. */
export type OnHeartbeat = (node: HallNode, worker: WorkerId) => void;

/** A client waits for an answer from this node. */
export interface PendingRequest {
  readonly request: Request;
  isAnswered: boolean;
  /** The client went away. */
  cancel(): void;
}

/** Lets a request in as the HTTP door does: only where the node leads, with the sign of life it is. */
export function receive(
  node: HallNode,
  request: Request,
  { heard, reply }: { heard: OnHeartbeat; reply: (reply: Reply) => void },
): PendingRequest {
  const visit: PendingRequest = { request, isAnswered: false, cancel: () => undefined };
  const leading = node.hall?.leading();
  if (!leading) {
    visit.isAnswered = true;
    reply({ is: 'away', url: node.hall?.leaderUrl() });
    return visit;
  }
  const greet = (worker: WorkerId) => {
    leading.liveness.heartbeat(worker);
    heard(node, worker);
  };
  if (request.worker !== undefined) greet(request.worker);
  void answer(leading, request, visit)
    .then((given) => {
      if (given.is === 'done' && request.verb === 'register') greet(Number(given.body) as WorkerId);
      return given;
    })
    .catch((fault: Error): Reply => ({ is: 'failed', fault: fault.name }))
    .then((given) => {
      visit.isAnswered = true;
      reply(given);
    });
  return visit;
}

async function answer(
  leading: LeadingHall,
  request: Request,
  visit: PendingRequest,
): Promise<Reply> {
  const { change, claim } = request;
  if (!change && claim)
    return claimed(await waitFor(leading.writer.claim(asked(request, claim)), visit));
  if (!change) return { is: 'done', body: '' };
  const whole = { meta: metaOf(request), ...change, idempotency: idempotencyOf(request) };
  if (!claim) return outcome(await leading.writer.change(whole));
  const { changed, next } = leading.writer.changeThenClaim(whole, asked(request, claim));
  const first = outcome(await changed);
  const pending = next();
  if (first.is !== 'done' || !pending) return first;
  return { ...first, next: claimed(await waitFor(pending, visit)) };
}

function waitFor(pending: PendingClaim, visit: PendingRequest): PendingClaim['claimed'] {
  visit.cancel = () => pending.cancel();
  return pending.claimed;
}

function asked(request: Request, { worker, wait }: Claiming) {
  return { meta: metaOf(request), worker, wait };
}

function metaOf({ actor, verb }: Request) {
  return { actor, cause: verb };
}

function idempotencyOf({ key, verb, about }: Request) {
  if (key === undefined) return undefined;
  const render = (given: unknown) => ({ status: 200, body: JSON.stringify(given) });
  return { key, request: `${verb} ${about}`, render };
}

function outcome(given: Outcome<unknown>): Reply {
  if (isReplayed(given)) return { is: 'done', body: given.replayed.body, isReplay: true };
  if (isRefusal(given)) return { is: 'refused', refusal: given };
  return { is: 'done', body: JSON.stringify(given) };
}

function claimed(given: Awaited<PendingClaim['claimed']>): Reply {
  if (isRefusal(given)) return { is: 'refused', refusal: given };
  return { is: 'done', body: JSON.stringify(given) };
}
