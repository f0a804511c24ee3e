import { type Instant, numberIn, type WorkerId } from './ids.ts';
import type { Isolation } from './project.ts';

/** The live process in which an instance works on one task at a time. */
export interface Worker {
  readonly id: WorkerId;
  readonly instance: string;
  /** Restricts the instance's projects; null means all of them. */
  readonly projects: readonly string[] | null;
  readonly bringsModel: boolean;
  /** SHA-256 of its token, so the board holds no usable credential. */
  readonly tokenHash: string;
  readonly host: string | null;
  /** The best isolation its machine offers; not reported by workers that bring their own. */
  readonly cells?: WorkerCells | undefined;
  readonly draining: boolean;
  readonly registeredAt: Instant;
  /** The actor that registered it; missing for workers from before it was stored. */
  readonly registeredBy?: string | undefined;
  readonly deregistered: { readonly at: Instant; readonly because: string } | null;
}

export interface WorkerCells {
  readonly kind: Isolation;
  /** What the cells do not isolate, worded for the health report. */
  readonly gaps: readonly string[];
}

/** The worker that an event names as its actor. */
export function workerActing(actor: string): WorkerId | undefined {
  const [kind, name = ''] = actor.split(':', 2);
  return kind === 'worker' ? (numberIn('worker', name) as WorkerId | undefined) : undefined;
}
