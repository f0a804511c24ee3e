/**
 * How many of the tests a run includes. `test` is `npm test`, `full` is everything, and `rest` is what `test`
 * leaves to `full`, so that `.ci/run` runs nothing twice.
 */
export type Tier = 'test' | 'full' | 'rest';

export const TIERS: readonly Tier[] = ['test', 'full', 'rest'];

/** Names the tier to every suite of a run. */
export const TIER_VARIABLE = 'GUILDHALL_TEST_TIER';

/** Whether a test that belongs to `npm test`, or to the full tier alone, runs in a tier. */
export function isInTier(home: 'test' | 'full', tier: Tier): boolean {
  return home === 'test' ? tier !== 'rest' : tier !== 'test';
}

export function tierCalled(name: string): Tier {
  const tier = TIERS.find((each) => each === name);
  if (tier) return tier;
  throw new Error(`there is no tier ${name}; the tiers are ${TIERS.join(', ')}`);
}
