import type { OperationId } from '../api/routes.ts';
import type { Change } from '../board/command.ts';
import type { Hall } from '../board/hall.ts';
import { requireLeading } from '../board/leader.ts';
import { type Idempotency, isReplayed, type Replayed } from '../board/replay-response.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainReply } from './send.ts';

/** The parts of a request that a change needs. */
export type ChangeContext = Pick<RequestContext<OperationId>, 'meta' | 'idempotencyKey'>;

interface Changing<A, R> extends Omit<Change<A>, 'meta' | 'idempotency'> {
  /** Synchronous, because the answer is stored in the commit that makes the change. */
  readonly reply: (answer: A) => R;
}

/** Submits a change to the writer and answers once it is on disk. */
export async function changeBoard<A, const R extends PlainReply>(
  hall: Hall,
  context: ChangeContext,
  { reply, ...changing }: Changing<A, R>,
): Promise<R | Refusal | Replayed> {
  const rendered = renderOnce(context, reply);
  const outcome = await requireLeading(hall).writer.change<A>({
    ...changing,
    meta: context.meta,
    idempotency: rendered.once,
  });
  if (isReplayed(outcome) || isRefusal(outcome)) return outcome;
  return rendered.reply() ?? reply(outcome);
}

/** Renders the answer once and stores it for repeated requests. */
export function renderOnce<A, const R extends PlainReply>(
  { idempotencyKey: repeat }: ChangeContext,
  reply: (answer: A) => R,
): { readonly once: Idempotency<A> | undefined; readonly reply: () => R | undefined } {
  if (!repeat) return { once: undefined, reply: () => undefined };
  let made: R | undefined;
  const { key, request } = repeat;
  const render = (answer: A) => {
    const plain = reply(answer);
    const text = plain.body === undefined ? '' : JSON.stringify(plain.body);
    made = { ...plain, text };
    return { status: Number(plain.status), body: text };
  };
  return { once: { key, request, render }, reply: () => made };
}
