import type { OperationId } from '../api/routes.ts';
import { type Change, isReplayed, type Once, type Replayed } from '../board/command.ts';
import type { Hall, Leading } from '../board/hall.ts';
import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { StoreAway } from '../ports/store.ts';
import type { Ask } from './ask.ts';
import type { PlainReply } from './send.ts';

/** This node does not lead, or does not any more; the change is to be made elsewhere. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading';
}

export function leadingOf(hall: Hall): Leading {
  const leading = hall.leading();
  if (!leading) throw new NotLeading('this node does not lead');
  refuseStalled(leading);
  return leading;
}

/** Nobody is helped by joining a line that does not move. */
function refuseStalled({ writer }: Leading): void {
  const { stalledFor } = writer;
  if (stalledFor < MOST_STALLED) return;
  const seconds = Math.round(stalledFor / 1_000);
  throw new StoreAway(`the database has not answered for ${seconds} s`);
}

const MOST_STALLED = 10_000;

/** What of a request a change needs to know. */
export type Asking = Pick<Ask<OperationId>, 'meta' | 'repeat'>;

interface Changing<A, R> extends Omit<Change<A>, 'meta' | 'once'> {
  /** Works without waiting, because the answer is stored in the commit that makes the change. */
  readonly reply: (answer: A) => R;
}

/** Asks the writer for a change and answers when it is on disk. */
export async function change<A, const R extends PlainReply>(
  hall: Hall,
  ask: Asking,
  { reply, ...changing }: Changing<A, R>,
): Promise<R | Refusal | Replayed> {
  const rendered = rendering(ask, reply);
  const outcome = await leadingOf(hall).writer.change<A>({
    ...changing,
    meta: ask.meta,
    once: rendered.once,
  });
  if (isReplayed(outcome) || isRefusal(outcome)) return outcome;
  return rendered.reply() ?? reply(outcome);
}

/** Renders the answer once, where a repeated request would find it. */
export function rendering<A, const R extends PlainReply>(
  { repeat }: Asking,
  reply: (answer: A) => R,
): { readonly once: Once<A> | undefined; readonly reply: () => R | undefined } {
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

/**
 * Looks at the board between two changes. What a commit under way has decided is in memory already
 * but may still come to nothing, so the view is taken in the queue and leaves with its group.
 */
export async function look<T>(hall: Hall, view: (board: Board) => T): Promise<T> {
  const leading = hall.leading();
  if (!leading) return view(hall.board);
  refuseStalled(leading);
  const seen = await leading.writer.change<{ readonly view: T }>({
    meta: READING,
    decide: (board) => decide({ view: view(board) }, []),
  });
  return (seen as { readonly view: T }).view;
}

const READING = { actor: 'hall', cause: 'reading' };
