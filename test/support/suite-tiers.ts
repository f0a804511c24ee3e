import { reachableFrom } from './import-graph.ts';
import { neededParts } from './parts.ts';
import type { Tier } from './tier-names.ts';

const TIER_MODULE = 'test/support/tier.ts';
const TEST_OF_IT = 'test/support/tier.test.ts';

/** The suites that have something to run in a tier, as far as this is known without starting them. */
export function suitesInTier(files: readonly string[], tier: Tier): string[] {
  return files.filter((file) => tier === 'full' || homesOf(file).includes(tier));
}

/** What `npm test` leaves to the full tier, in one line; undefined if nothing. */
export function leftToFull(files: readonly string[]): string | undefined {
  const left = files.filter((file) => homesOf(file).includes('rest'));
  const whole = left.filter((file) => isWhollyFull(file)).length;
  const facts = [
    ...(whole > 0 ? [`all of ${suites(whole)}`] : []),
    ...(left.length > whole ? [`more cases in ${suites(left.length - whole)}`] : []),
  ];
  return left.length === 0 ? undefined : `left to npm run test:full: ${facts.join(', ')}`;
}

/** A suite that checks the tier decides for each of its tests; other suites belong to one tier completely. */
function homesOf(file: string): Tier[] {
  if (isWhollyFull(file)) return ['rest'];
  return asksForTier(file) ? ['test', 'rest'] : ['test'];
}

/** By its name, or by a part that it needs. */
function isWhollyFull(file: string): boolean {
  if (file.endsWith('.full.test.ts')) return true;
  return !asksForTier(file) && neededParts([file]).some(({ isFullTier }) => isFullTier);
}

export function asksForTier(file: string): boolean {
  return file !== TEST_OF_IT && reachableFrom([file]).some(({ path }) => path === TIER_MODULE);
}

function suites(count: number): string {
  return count === 1 ? '1 suite' : `${count} suites`;
}
