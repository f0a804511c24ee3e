import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KNOWN_SKILLS } from '../../src/domain/skill.ts';
import { playCase } from '../live/case.ts';
import { CASES } from '../live/cases.ts';
import { casesInTier, testIn } from '../support/tier.ts';
import { whyNoWorkers } from '../support/worker-fixture.ts';

/** Runs the cases of test/live with their scripts instead of a real model, to test the cases themselves. */
describe('the live cases with a scripted model', {
  skip: await whyNoWorkers(),
  concurrency: 2,
}, () => {
  const it = testIn('test');

  for (const one of casesInTier(CASES, ({ skill }) => skill === 'implement')) {
    test(`CH-075a: a task with the skill ${one.skill} reaches the expected result`, () =>
      playCase(one));
  }

  it('CH-075a: every skill has a live case', () => {
    assert.deepEqual(CASES.map(({ skill }) => skill).sort(), [...KNOWN_SKILLS].sort());
  });
});
