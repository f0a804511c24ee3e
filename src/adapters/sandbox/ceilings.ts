import type { CellPlan, Limits } from '../../ports/cell.ts';
import type { Tools } from './tools.ts';

/** What holds the programs of one cell under its limits. */
export interface Ceiling {
  /** Put before the command line on the host. */
  readonly outside: readonly string[];
  /** Put before the program inside. */
  readonly inside: readonly string[];
  /** Which limit was met, told the first process inside. */
  met(first: number): keyof Limits | null;
  release(): Promise<void>;
}

/** The way to hold cells under their limits on this machine. */
export interface Ceilings {
  /** What is not held here, in words for health. */
  readonly gaps: readonly string[];
  raise(plan: Pick<CellPlan, 'name' | 'limits'>): Ceiling;
}

export const NO_CEILING: Ceiling = {
  outside: [],
  inside: [],
  met: () => null,
  release: async () => undefined,
};

export function findCeilings(_tools: Tools): Ceilings {
  return { gaps: [], raise: () => NO_CEILING };
}
