import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KNOWN_SKILLS } from '../../src/domain/skill.ts';
import { playCase } from '../live/case.ts';
import { CASES } from '../live/cases.ts';
import { runsInTier } from '../support/tier.ts';
import { whyNoWorkers } from '../support/worker-fixture.ts';

/** One that changes files, one that reads them and one that makes tasks; the others are played in the full tier. */
const OFTEN = ['implement', 'review', 'decompose'];

/** What test/live plays with a real model, played with the script of each case: the case itself is right. */
describe('the live cases, rehearsed', { skip: await whyNoWorkers(), concurrency: 2 }, () => {
  for (const one of CASES) {
    if (!runsInTier(OFTEN.includes(one.skill) ? 'test' : 'full')) continue;
    it(`CH-075a: ${one.skill} goes from a task to what the hall must see`, () => playCase(one));
  }

  it('CH-075a: there is a case for each skill', () => {
    const skills = CASES.map(({ skill }) => skill);
    assert.deepEqual(skills.sort(), [...KNOWN_SKILLS].sort());
    for (const skill of OFTEN) assert.ok(skills.includes(skill), skill);
  });
});
