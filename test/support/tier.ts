import { type TestContext, type TestOptions, test } from 'node:test';
import { isInTier, TIER_VARIABLE, type Tier, tierCalled } from './tier-names.ts';

/**
 * Whether a test of this tier runs now. A suite with tests of both tiers checks for each: `if
 * (runsInTier('full')) test(…)`. A test that is left to the full tier is not skipped: it is not registered.
 */
export function runsInTier(home: 'test' | 'full'): boolean {
  return isInTier(home, currentTier());
}

/** How often a long test repeats: less in `npm test`, all of it in the full tier and its rest. */
export function sizeInTier(sizes: { readonly test: number; readonly full: number }): number {
  return runsInTier('full') ? sizes.full : sizes.test;
}

/** The tier of the run; a file that is run directly belongs to `test`. */
export function currentTier(): Tier {
  return tierCalled(process.env[TIER_VARIABLE] ?? 'test');
}

type Act = (t: TestContext) => Promise<void> | void;

/** What registers a test in node:test. */
interface Register {
  (title: string, act: Act): void;
  (title: string, options: TestOptions, act: Act): void;
}

/** Registers tests of one tier, and none of them where that tier does not run. */
export function testIn(home: 'test' | 'full'): Register {
  return runsInTier(home) ? (test as Register) : () => undefined;
}

/** Of many similar cases, those that run now: some belong to `npm test`, the others to the full tier. */
export function casesInTier<T>(
  cases: readonly T[],
  isInTest: (one: T, at: number) => boolean,
): T[] {
  return cases.filter((one, at) => runsInTier(isInTest(one, at) ? 'test' : 'full'));
}
