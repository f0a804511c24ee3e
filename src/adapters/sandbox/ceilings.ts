import type { Limits } from '../../domain/project.ts';
import type { CellPlan } from '../../ports/cell.ts';

/** What holds the programs of one cell under its limits. */
export interface Ceiling {
  /** Files that a process of the host writes its number into, to be under the ceiling. */
  readonly groups: readonly string[];
  /** Put before the program inside. */
  readonly inside: readonly string[];
  /** Which limit was met, told the first process inside. */
  met(first: number): keyof Limits | null;
  release(): Promise<void>;
}

/** A way to hold cells under their limits. */
export interface Ceilings {
  readonly holds: readonly (keyof Limits)[];
  /** What it does not hold, in words for health. */
  readonly gaps: readonly string[];
  raise(plan: Pick<CellPlan, 'name' | 'limits'>): Ceiling;
}
