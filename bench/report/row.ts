import type { Spread } from '../measuring/spread.ts';

/** The goal of a number. */
export interface Goal {
  readonly at: 'least' | 'most';
  readonly value: number;
  /** Of our own number, or of ours divided by the peer's. */
  readonly of: 'ours' | 'ratio';
}

export type Unit = '/s' | 'ms' | 's' | 'MB' | '×';

/** Microseconds of CPU time per operation. */
export interface Cost {
  readonly client: number;
  readonly server: number;
}

export interface Side {
  readonly name: string;
  readonly value: Spread;
  readonly cost?: Cost | undefined;
}

/** One line of the result: ours against a peer, against ourselves, or against a number. */
export interface Row {
  readonly cell: string;
  readonly measure: string;
  readonly unit: Unit;
  readonly ours: Side;
  readonly peer?: Side | undefined;
  readonly ratio?: Spread | undefined;
  readonly goal?: Goal | undefined;
  /** Why this number is not valid: an exactness check failed. */
  readonly void?: string | undefined;
  readonly note?: string | undefined;
}

export type Verdict = 'ok' | 'off' | 'void' | 'shown';

/** The median decides. A row without a goal is only shown. */
export function verdictOn({ goal, ratio, ours, void: broken }: Row): Verdict {
  if (broken !== undefined) return 'void';
  if (!goal) return 'shown';
  const value = goal.of === 'ratio' ? ratio?.median : ours.value.median;
  if (value === undefined || Number.isNaN(value)) return 'void';
  const met = goal.at === 'least' ? value >= goal.value : value <= goal.value;
  return met ? 'ok' : 'off';
}

export function atLeast(value: number, of: Goal['of'] = 'ratio'): Goal {
  return { at: 'least', value, of };
}

export function atMost(value: number, of: Goal['of'] = 'ratio'): Goal {
  return { at: 'most', value, of };
}
