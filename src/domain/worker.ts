import type { Instant, WorkerId } from './ids.ts';

/** The live process in which an instance works on one task at a time. */
export interface Worker {
  readonly id: WorkerId;
  readonly instance: string;
  /** Narrows the instance's projects; null means all of them. */
  readonly projects: readonly string[] | null;
  readonly bringsModel: boolean;
  /** SHA-256 of its token, so that the board holds nothing that opens a door. */
  readonly tokenHash: string;
  readonly host: string | null;
  readonly draining: boolean;
  readonly registeredAt: Instant;
  readonly gone: { readonly at: Instant; readonly because: string } | null;
}
