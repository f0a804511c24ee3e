import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteResult } from './suites.ts';
import type { Tier } from './tier-names.ts';
import { ROOT } from './tree.ts';

/** CPU seconds of each suite and check, by the tier they were measured in. */
export interface UsualTimes
  extends Readonly<Record<'test' | 'rest', Readonly<Record<string, number>>>> {
  /** The suites that used the CPU for less than half of their time on an otherwise idle machine. */
  readonly waits: readonly string[];
}

const TABLE = join(import.meta.dirname, 'usual-times.json');
/** The estimate for an unmeasured suite if no other was measured. */
const GUESS = 3;

export function readUsualTimes(): UsualTimes {
  return JSON.parse(readFileSync(TABLE, 'utf8'));
}

/** The usual time of these suites together; undefined if one of them was never measured. */
export function usualOf(
  names: readonly string[],
  tier: Tier,
  times: UsualTimes,
): number | undefined {
  const tables = tier === 'full' ? [times.test, times.rest] : [times[tier]];
  let sum = 0;
  for (const name of names) {
    const known = tables.flatMap((table) => table[name] ?? []);
    if (known.length === 0) return undefined;
    sum += known.reduce((total, each) => total + each, 0);
  }
  return sum;
}

/** The same for a plan, where an unmeasured suite counts as average. */
export function expectedOf(names: readonly string[], tier: Tier, times: UsualTimes): number {
  const known = Object.values(tier === 'rest' ? times.rest : times.test);
  const average = known.reduce((total, each) => total + each, 0) / known.length || GUESS;
  return names.reduce((total, name) => total + (usualOf([name], tier, times) ?? average), 0);
}

/** Measurements of the suites that passed; other suites keep theirs, and removed ones lose them. */
export function withMeasured(
  times: UsualTimes,
  tier: 'test' | 'rest',
  results: readonly SuiteResult[],
): UsualTimes {
  const longest = longestPasses(results);
  const measured = longest
    .filter(({ failures }) => failures.length === 0)
    .map(({ name, cpuSeconds }) => [name, Math.ceil(cpuSeconds * 10) / 10] as const);
  const isThere = (name: string) => !name.endsWith('.ts') || existsSync(join(ROOT, name));
  const all = Object.entries({ ...times[tier], ...Object.fromEntries(measured) })
    .filter(([name]) => isThere(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = results.map(({ name }) => name);
  const others = times.waits.filter((name) => isThere(name) && !names.includes(name));
  const waits = longest.filter(mostlyWaits).map(({ name }) => name);
  return { ...times, [tier]: Object.fromEntries(all), waits: [...others, ...waits].sort() };
}

/** Of a suite with several passes, the one that used the CPU most. */
function longestPasses(results: readonly SuiteResult[]): SuiteResult[] {
  const ordered = results.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds);
  return [...new Map(ordered.map((result) => [result.name, result])).values()];
}

function mostlyWaits({ seconds, cpuSeconds }: SuiteResult): boolean {
  return seconds > MIN_WAIT && cpuSeconds < seconds / 2;
}

/** A shorter suite is not worth a lane of its own. */
const MIN_WAIT = 3;

export function writeUsualTimes(times: UsualTimes): void {
  writeFileSync(TABLE, `${JSON.stringify(times, null, 2)}\n`);
}
