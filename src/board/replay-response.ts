import { type Refusal, refuse } from '../domain/refusal.ts';
import type { StoredResponse } from '../ports/store.ts';

/** Makes a request safe to repeat: the first answer is stored with the change and replayed. */
export interface Idempotency<A> {
  readonly key: string;
  /** A hash of the request, to detect a key that is reused for a different one. */
  readonly request: string;
  readonly render: (answer: A) => { readonly status: number; readonly body: string };
}

/** The answer to an earlier request with the same key. */
export interface Replayed {
  readonly replayed: StoredResponse;
}

export function isReplayed(answer: unknown): answer is Replayed {
  return typeof answer === 'object' && answer !== null && 'replayed' in answer;
}

/** The stored answer to the same request, or a refusal when the key came with another request. */
export function replayOrRefuse(
  { key, request }: Pick<Idempotency<never>, 'key' | 'request'>,
  before: StoredResponse,
): Replayed | Refusal {
  if (before.request === request) return { replayed: before };
  return refuse('key_reused', `idempotency key ${key} was used for another request`);
}
