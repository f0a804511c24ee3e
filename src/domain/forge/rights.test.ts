import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADA, HALL, MALLORY, ROBOT } from '../../../test/support/forge-board.ts';
import { mayLabel, mayTrigger, type Rights } from './rights.ts';

/** ada may write and is in no team; mallory may only read and is in core; the robot has every right. */
const RIGHTS: Rights = {
  own: HALL,
  permissions: new Map([
    [ADA.id, 'write'],
    [MALLORY.id, 'read'],
    [ROBOT.id, 'admin'],
  ]),
  teams: new Map([
    [MALLORY.id, new Set(['acme/core'])],
    [ROBOT.id, new Set(['acme/core'])],
  ]),
};

const UNKNOWN = { id: 99, login: 'nobody', isBot: false };
const CORE = ['acme/core', 'acme/ops'];

describe('who may ask for an agent', () => {
  for (const [who, account, anyone, team] of [
    ['a person who may write and is in no team', ADA, true, false],
    ['a person in the team who may only read', MALLORY, false, true],
    ['a bot, whatever it may do', ROBOT, false, false],
    ['the hall itself', HALL, false, false],
    ['an account that the forge was not asked about', UNKNOWN, false, false],
    ['an account that is gone', null, false, false],
  ] as const) {
    test(`${who} ${anyone ? 'may' : 'may not'} ask for an agent without teams, and ${team ? 'may' : 'may not'} for one with teams`, () => {
      assert.equal(mayTrigger(RIGHTS, account, []), anyone);
      assert.equal(mayTrigger(RIGHTS, account, CORE), team);
    });
  }

  test('a label of a bot counts by the right of the author of the issue', () => {
    assert.equal(mayLabel(RIGHTS, { by: ROBOT, author: MALLORY }, CORE), true);
    assert.equal(mayLabel(RIGHTS, { by: ROBOT, author: ADA }, CORE), false);
    assert.equal(mayLabel(RIGHTS, { by: HALL, author: ADA }, []), false);
  });
});
