import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { nameTaken } from './name-taken.ts';
import { refuse } from './refusal.ts';
import type { Role, Token } from './token.ts';

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

export function revokeToken(board: Board, name: string): Decision<string> {
  if (!board.tokens.has(name))
    return refuseWith(refuse('unknown_token', `there is no token ${name}`));
  return decide(name, [{ type: 'TokenRevoked', token: name }]);
}
