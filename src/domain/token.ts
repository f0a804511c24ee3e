import type { Instant } from './ids.ts';

export const ROLES = ['operator', 'viewer', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** A named API token; the board stores only its hash. */
export interface Token {
  readonly name: string;
  readonly role: Role;
  readonly hash: string;
  readonly createdAt: Instant;
  readonly createdBy: string;
}

/** The names under which a token registers workers. */
export function joiningActors(token: string): readonly string[] {
  return [`${JOINER}${token}`, `operator:${token}`];
}

/** The token with the role worker that an event names as its actor. */
export function tokenJoining(actor: string): string | undefined {
  return actor.startsWith(JOINER) ? actor.slice(JOINER.length) : undefined;
}

const JOINER = 'joiner:';
