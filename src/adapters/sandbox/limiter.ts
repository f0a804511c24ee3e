import type { Limits } from '../../domain/project.ts';
import type { CellPlan } from '../../ports/cell.ts';

/** What holds the programs of one cell under its limits. */
export interface AppliedLimits {
  /** Files that a process of the host writes its number into, to be under the ceiling. */
  readonly cgroupFiles: readonly string[];
  /** Put before the program inside. */
  readonly commandPrefix: readonly string[];
  /** Which limit was met, told the first process inside. */
  exceeded(initPid: number): keyof Limits | null;
  release(): Promise<void>;
}

/** A way to hold cells under their limits. */
export interface Limiter {
  readonly enforces: readonly (keyof Limits)[];
  /** What it does not hold, in words for health. */
  readonly gaps: readonly string[];
  apply(plan: Pick<CellPlan, 'name' | 'limits'>): AppliedLimits;
}
