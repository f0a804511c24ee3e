import type { Change } from '../board/command.ts';
import type { Hall } from '../board/hall.ts';
import { requireLeading } from '../board/leader.ts';
import { isReplayed, type Replayed } from '../board/replay-response.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { ChangeContext } from './board-access.ts';
import { seal, unseal } from './encrypt-response.ts';
import type { PlainReply } from './send.ts';

interface Changing<A, R> extends Omit<Change<A>, 'meta' | 'idempotency'> {
  readonly reply: (answer: A) => R;
}

/**
 * A change whose answer contains a token. Repeats get the same token, but the stored answer can be
 * read only with the secret that the client sends.
 */
export async function sealedChange<A, const R extends PlainReply>(
  hall: Hall,
  { meta, idempotencyKey: repeat }: ChangeContext,
  { reply, ...changing }: Changing<A, R>,
): Promise<R | Refusal | Replayed> {
  const outcome = await requireLeading(hall).writer.change<A>({
    ...changing,
    meta,
    idempotency: repeat && {
      key: repeat.key,
      request: repeat.request,
      render: (answer) => {
        const { status, body } = reply(answer);
        return { status: Number(status), body: seal(JSON.stringify(body), repeat.secret) };
      },
    },
  });
  if (isReplayed(outcome) && repeat) {
    const { replayed } = outcome;
    return { replayed: { ...replayed, body: unseal(replayed.body, repeat.secret) } };
  }
  return isReplayed(outcome) || isRefusal(outcome) ? outcome : reply(outcome);
}
