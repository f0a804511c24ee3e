import { hash } from 'node:crypto';
import { actorOf, type Caller } from './caller.ts';
import { problem, type Refused } from './problem.ts';
import type { IdempotencyKey } from './request-context.ts';

interface KeyInput {
  readonly header: string | string[] | undefined;
  readonly authorization: string | undefined;
  readonly caller: Caller;
  readonly operation: string;
  readonly path: string;
  /** Undefined where not even its hash may be stored; the handler then provides one. */
  readonly body: Buffer | undefined;
}

/**
 * The identity of a repeated request: caller, token, operation and the client's key. A name can be
 * reused for someone else; a token cannot. Only a hash of all of these is stored, neither the token
 * nor the key.
 */
export function idempotencyKeyOf(input: KeyInput): IdempotencyKey | undefined | Refused {
  const { header, caller, operation, path, body } = input;
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[!-~]{1,200}$/.test(header)) {
    return problem(
      'bad_idempotency_key',
      'the Idempotency-Key must be 1 to 200 visible ASCII characters',
    );
  }
  const secret = `${input.authorization ?? ''}\n${path}\n${header}`;
  return {
    key: `${operation} ${hash('sha256', `${actorOf(caller)}\n${secret}`)}`,
    request: body === undefined ? '' : hash('sha256', body),
    secret,
  };
}
