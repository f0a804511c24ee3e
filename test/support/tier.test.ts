import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { casesInTier, currentTier, runsInTier, sizeInTier, testIn } from './tier.ts';
import { TIER_VARIABLE, type Tier } from './tier-names.ts';

const own = process.env[TIER_VARIABLE];
after(() => inTier(own, () => undefined));

describe('a suite', () => {
  it('a suite is in the tier test by default, and an unknown tier is refused', () => {
    assert.equal(
      inTier(undefined, () => currentTier()),
      'test',
    );
    assert.throws(() => inTier('quick', () => currentTier()), /there is no tier quick/);
  });

  it('a long test repeats as often as its tier asks', () => {
    const sizes = { test: 20, full: 200 };
    assert.deepEqual(
      inEach(() => sizeInTier(sizes)),
      { test: 20, full: 200, rest: 200 },
    );
  });

  it('each case is in npm test or in its rest, and all are in the full tier', () => {
    const cases = () => casesInTier(['a', 'b', 'c'], (one) => one === 'b');
    assert.deepEqual(inEach(cases), { test: ['b'], full: ['a', 'b', 'c'], rest: ['a', 'c'] });
  });

  it('a test of a tier that does not run is not registered', () => {
    inTier('test', () => testIn('full')('left to the full tier', () => assert.fail('it runs')));
    inTier('rest', () => testIn('test')('left to npm test', () => assert.fail('it runs')));
    assert.equal(
      inTier('rest', () => runsInTier('full')),
      true,
    );
  });
});

function inEach<T>(act: () => T): Record<Tier, T> {
  return { test: inTier('test', act), full: inTier('full', act), rest: inTier('rest', act) };
}

function inTier<T>(tier: string | undefined, act: () => T): T {
  if (tier === undefined) delete process.env[TIER_VARIABLE];
  else process.env[TIER_VARIABLE] = tier;
  return act();
}
