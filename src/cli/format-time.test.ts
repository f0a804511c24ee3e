import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatAge } from './format-time.ts';

describe('the age of something', () => {
  it('an age has one unit, the largest that fits', () => {
    const now = '2026-03-03T00:00:00.000Z';
    const ages = ['02T23:59:59.900', '02T23:59:01', '02T23:59:00', '02T12:30:00', '01T00:00:00'];
    assert.deepEqual(
      ages.map((each) => formatAge(`2026-03-${each}Z`, now)),
      ['0s ago', '59s ago', '1m ago', '11h ago', '2d ago'],
    );
    assert.equal(formatAge('2026-03-04T00:00:00Z', now), '0s ago', 'a clock that is behind');
  });
});
