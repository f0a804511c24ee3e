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
