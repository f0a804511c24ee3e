import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { deregister } from './lost-worker.ts';
import { nameTaken } from './name-taken.ts';
import { refuse } from './refusal.ts';
import { joiningActors, type Role, type Token } from './token.ts';

/** The actor name of the token in the data folder. */
const OWN_TOKEN = 'local';

export function createToken(
  board: Board,
  { name, role, hash }: { readonly name: string; readonly role: Role; readonly hash: string },
  now: Now,
): Decision<Token> {
  if (board.tokens.has(name) || name === OWN_TOKEN) return refuseWith(nameTaken('token', name));
  const token: Token = { name, role, hash, createdAt: now.at, createdBy: now.actor };
  return decide(token, [{ type: 'TokenCreated', token }]);
}

/** Ends the workers that the token registered too: they have tokens of their own. */
export function revokeToken(board: Board, name: string, now: Now): Decision<string> {
  if (!board.tokens.has(name))
    return refuseWith(refuse('unknown_token', `there is no token ${name}`));
  const actors = joiningActors(name);
  const because = `token ${name} was revoked`;
  const ended = [...board.workers.values()]
    .filter(({ registeredBy = '' }) => actors.includes(registeredBy))
    .flatMap(({ id }) => deregister(board, id, because, now).events);
  return decide(name, [{ type: 'TokenRevoked', token: name }, ...ended]);
}
