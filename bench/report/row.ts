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
  /** The peer's processor time per operation divided by ours, and the least that it should be. */
  readonly processor?: Spread | undefined;
  readonly processorGoal?: number | undefined;
  /** Why this number is not valid: an exactness check failed. */
  readonly void?: string | undefined;
  readonly note?: string | undefined;
}

export type Verdict = 'ok' | 'off' | 'void' | 'shown';

/** The median decides, and all goals must be met. A row without a goal is only shown. */
export function verdictOn(row: Row): Verdict {
  const { goal, ratio, ours, processor, processorGoal, void: broken } = row;
  if (broken !== undefined) return 'void';
  const verdicts = [
    ...(goal ? [met(goal, goal.of === 'ratio' ? ratio?.median : ours.value.median)] : []),
    ...(processorGoal === undefined ? [] : [met(atLeast(processorGoal), processor?.median)]),
  ];
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'shown';
}

const WORST_FIRST: readonly Verdict[] = ['void', 'off', 'ok'];

function met({ at, value: limit }: Goal, value: number | undefined): Verdict {
  if (value === undefined || Number.isNaN(value)) return 'void';
  return (at === 'least' ? value >= limit : value <= limit) ? 'ok' : 'off';
}

export function atLeast(value: number, of: Goal['of'] = 'ratio'): Goal {
  return { at: 'least', value, of };
}

export function atMost(value: number, of: Goal['of'] = 'ratio'): Goal {
  return { at: 'most', value, of };
}
