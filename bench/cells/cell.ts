import type { Lab } from '../lab.ts';
import type { Compared } from '../measuring/rounds.ts';
import type { Options } from '../options.ts';
import type { Goal, Row, Unit } from '../report/row.ts';

/** One group of measures that share their set-up. */
export interface Cell {
  readonly title: string;
  /** The expected minutes, for the announcement. */
  readonly minutes: (options: Pick<Options, 'rounds' | 'isQuick'>) => number;
  readonly run: (lab: Lab, stack: AsyncDisposableStack) => Promise<Outcome>;
}

export interface Outcome {
  readonly rows: readonly Row[];
  readonly checks: readonly Check[];
  /** What could not be measured, and why. */
  readonly leftOut: readonly string[];
}

/** A check besides the numbers. */
export interface Check {
  readonly cell: string;
  readonly what: string;
  /** Undefined when it passed, else what is wrong. */
  readonly fault: string | undefined;
  /** What was checked. */
  readonly seen: string;
}

interface Heading {
  readonly cell: string;
  readonly measure: string;
  readonly unit: Unit;
  readonly goal?: Goal | undefined;
  readonly processorGoal?: number | undefined;
  readonly note?: string | undefined;
}

export function rowFrom(
  heading: Heading,
  { ours, peer, ratio, processor }: Compared,
  names: { readonly ours: string; readonly peer: string },
): Row {
  return {
    ...heading,
    ours: { name: names.ours, value: ours.value, cost: ours.cost },
    peer: { name: names.peer, value: peer.value, cost: peer.cost },
    ratio,
    processor,
    void: ours.void ?? peer.void,
  };
}

/** When the exactness check of a cell fails, none of its numbers are valid. */
export function voided(rows: readonly Row[], fault: string | undefined): readonly Row[] {
  return fault === undefined ? rows : rows.map((row) => ({ ...row, void: row.void ?? fault }));
}
