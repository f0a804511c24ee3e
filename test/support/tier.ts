/**
 * How much of the tests a run plays. `test` is `npm test`, `full` is everything there is, and `rest` is
 * what `test` leaves to `full`, so that `.ci/run` plays nothing twice.
 */
export type Tier = 'test' | 'full' | 'rest';

export const TIERS: readonly Tier[] = ['test', 'full', 'rest'];

/** Names the tier to every suite of a run. A file that is run by hand belongs to `test`. */
export const TIER_VARIABLE = 'GUILDHALL_TEST_TIER';

/**
 * Whether a test that belongs to this tier runs now. A suite with tests of both tiers asks for each:
 * `if (runsInTier('full')) test(…)`. What is left to the full tier is not skipped: it is not there.
 */
export function runsInTier(home: 'test' | 'full', tier: Tier = currentTier()): boolean {
  return home === 'test' ? tier !== 'rest' : tier !== 'test';
}

/** How often a long test repeats: less in `npm test`, all of it in the full tier and its rest. */
export function sizeInTier(sizes: { readonly test: number; readonly full: number }): number {
  return runsInTier('full') ? sizes.full : sizes.test;
}

export function currentTier(): Tier {
  return tierCalled(process.env[TIER_VARIABLE] ?? 'test');
}

export function tierCalled(name: string): Tier {
  const tier = TIERS.find((each) => each === name);
  if (tier) return tier;
  throw new Error(`there is no tier ${name}; there are ${TIERS.join(', ')}`);
}
