import type { Limits } from '../../domain/project.ts';
import type { CellPlan } from '../../ports/cell.ts';

/** Enforces the limits of one cell on its programs. */
export interface AppliedLimits {
  /** Files that a host process writes its pid into to come under the limits. */
  readonly cgroupFiles: readonly string[];
  /** Arguments placed before the program inside. */
  readonly commandPrefix: readonly string[];
  /** Which limit was exceeded, given the pid of the first process inside. */
  exceeded(initPid: number): keyof Limits | null;
  release(): Promise<void>;
}

/** A way to enforce the limits of cells. */
export interface Limiter {
  readonly enforces: readonly (keyof Limits)[];
  /** The limits it cannot enforce, as text for health. */
  readonly gaps: readonly string[];
  apply(plan: Pick<CellPlan, 'name' | 'limits'>): AppliedLimits;
}
