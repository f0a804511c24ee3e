import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ForgeBoard, label, pull } from '../../../test/support/forge-board.ts';
import type { ForgeCheck } from './snapshot.ts';
import { resultOf, takeChecks } from './take-checks.ts';

const TIMING = { pushedAt: 0, ciWait: 300_000, now: 60_000 };

function check(name: string, is: ForgeCheck['is'], at = 30_000): ForgeCheck {
  return { name, is, url: null, at, rerun: null };
}

describe('the checks of a head together', () => {
  const cases: readonly (readonly [string, readonly ForgeCheck[], number, string])[] = [
    ['none yet, just pushed', [], 60_000, 'pending'],
    ['none after the wait', [], 300_000, 'none'],
    ['one runs', [check('a', 'green'), check('b', 'pending')], 60_000, 'pending'],
    ['red while another runs', [check('a', 'red'), check('b', 'pending')], 60_000, 'pending'],
    [
      'red for 15 minutes while another runs',
      [check('a', 'red'), check('b', 'pending')],
      930_000,
      'red',
    ],
    ['all green', [check('a', 'green'), check('b', 'ignored')], 60_000, 'green'],
    ['only ignored ones', [check('a', 'ignored')], 300_000, 'none'],
    ['one red', [check('a', 'red'), check('b', 'green')], 60_000, 'red'],
  ];
  for (const [when, checks, now, expected] of cases) {
    test(`${when}: ${expected}`, () => {
      assert.equal(resultOf(checks, { ...TIMING, now }).is, expected);
    });
  }
});

describe('red checks on a forge', () => {
  function open() {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    const take = (is: ForgeCheck['is'], failing: readonly string[] = []) => {
      const checks = [check('tests', is)];
      const result = table.look({ pull: pull({ checks }) });
      const base = is === 'red' ? { branch: 'main', commit: 'b1', failing } : null;
      const seen = { checks, timing: TIMING, excerpt: 'boom', base, tree: null, required: [] };
      table.do(takeChecks(table.board, { result, seen }, table.now));
    };
    return { table, take };
  }

  test('a red head posts one fix-ci, however often its checks are reported', () => {
    const { table, take } = open();
    take('red');
    take('red');
    assert.deepEqual([table.skills, table.thread.forge.ciRetries], [['fix-ci'], 1]);
  });

  test('a rerun that turns green starts the count again', () => {
    const { table, take } = open();
    take('red');
    take('green');
    assert.deepEqual([table.thread.forge.checks?.is, table.thread.forge.ciRetries], ['green', 0]);
  });

  test('a check that fails on the base already hands the thread over', () => {
    const { table, take } = open();
    take('red', ['tests']);
    assert.deepEqual(table.skills, []);
    assert.match(table.thread.handedOver?.because ?? '', /`tests` is red on main already/);
  });
});
