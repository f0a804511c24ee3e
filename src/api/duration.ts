import { z } from 'zod';
import { SIZES } from '../domain/size.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
const EXPECTED = 'must be a duration such as 90s, 30m, 2h or 7d';

export const DurationInput = z.string(EXPECTED).regex(DURATION, { error: EXPECTED, abort: true });

/** The milliseconds of `90s`, `30m`, `2h` or `7d`; undefined for anything else. */
export function durationIn(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  const length = UNITS.find(([name]) => name === unit)?.[1];
  return length === undefined ? undefined : Number(count) * length;
}

/** As people write it: in the largest unit that needs no fraction. */
export function spellDuration(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => milliseconds % each === 0) ?? ['ms', 1];
  return `${milliseconds / length}${unit}`;
}

/** At least a minute, in any unit: shorter ones would end every run. */
const MINUTE_OR_MORE = /^0*([1-9]\d*[mhd]|([6-9]\d|[1-9]\d{2,})s|([6-9]\d{4}|[1-9]\d{5,})ms)$/;

/** When a run is ended, by the size of its task. */
export const TimeLimitsInput = z.partialRecord(
  z.enum(SIZES),
  DurationInput.regex(MINUTE_OR_MORE, 'must be at least 1m'),
);

export const TimeLimits = z.partialRecord(z.enum(SIZES), z.string());

type Written = z.output<typeof TimeLimits>;
type Limits = Readonly<Partial<Record<(typeof SIZES)[number], number>>>;

export function timeLimitsFrom(written: Written): Limits {
  return Object.fromEntries(
    Object.entries(written).map(([size, text]) => [size, durationIn(text) ?? 0]),
  );
}

export function timeLimitsView(limits: Limits): Written {
  return Object.fromEntries(
    Object.entries(limits).map(([size, length]) => [size, spellDuration(length)]),
  );
}
