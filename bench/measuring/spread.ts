/** The results of several rounds of one measure. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rounds: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    least: sorted.at(0) ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
    rounds: sorted.length,
  };
}

/** Of sorted values, interpolated between neighbours. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function percentile(values: readonly number[], share: number): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    share,
  );
}

export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
