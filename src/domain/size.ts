import type { Duration } from './ids.ts';

export const SIZES = ['XS', 'S', 'M', 'L', 'XL'] as const;
export type Size = (typeof SIZES)[number];

const MINUTE = 60_000;

/**
 * How long a run should take. One that takes longer goes on, and people see it. An XL task is never worked
 * on as it is: it is split, within the time of an M.
 */
export const TIME_TARGETS = {
  XS: 30 * MINUTE,
  S: 30 * MINUTE,
  M: 60 * MINUTE,
  L: 180 * MINUTE,
  XL: 60 * MINUTE,
} as const satisfies Record<Size, Duration>;

/** By default a run is ended after twice its target. */
const LIMIT_PER_TARGET = 2;

/** How long runs of a size may take in a project that sets these limits. */
export function timeLimitOf(
  size: Size,
  limits: Readonly<Partial<Record<Size, Duration>>>,
): Duration {
  return limits[size] ?? TIME_TARGETS[size] * LIMIT_PER_TARGET;
}

/** The size that a label such as `size:l` requests; the last one wins, as labels have no order. */
export function sizeInLabels(labels: readonly string[]): Size | undefined {
  return labels.map(sizeIn).findLast((size) => size !== undefined);
}

/** The labels that an agent may set: only operators and sources set sizes. */
export function withoutSize(labels: readonly string[]): readonly string[] {
  return labels.filter((label) => sizeIn(label) === undefined);
}

function sizeIn(label: string): Size | undefined {
  const word = /^size:(\w+)$/i.exec(label)?.[1]?.toUpperCase();
  return SIZES.find((size) => size === word);
}
