import { type Instant, numberIn, type WorkerId } from './ids.ts';
import type { Isolation } from './project.ts';

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
  /** The best walls that its machine can build; not told by workers that have their own. */
  readonly cells?: WorkerCells | undefined;
  readonly draining: boolean;
  readonly registeredAt: Instant;
  readonly deregistered: { readonly at: Instant; readonly because: string } | null;
}

export interface WorkerCells {
  readonly kind: Isolation;
  /** What they do not wall off, in words for health. */
  readonly gaps: readonly string[];
}

/** The worker that an event names as its actor. */
export function workerActing(actor: string): WorkerId | undefined {
  const [kind, name = ''] = actor.split(':', 2);
  return kind === 'worker' ? (numberIn('worker', name) as WorkerId | undefined) : undefined;
}
