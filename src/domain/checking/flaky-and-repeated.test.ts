import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ForgeBoard, label, pull } from '../../../test/support/forge-board.ts';
import { cardNotices } from '../forge/card-notices.ts';
import type { ForgeCheck } from '../forge/snapshot.ts';
import { takeChecks } from '../forge/take-checks.ts';
import { nextPullRequestAction } from '../pull-request-actions.ts';
import { reportRerun } from './report-rerun.ts';
import { reportBranchUpdated } from './update-branch.ts';

const CI_WAIT = 300_000;

function check(is: ForgeCheck['is'], at: number, name = 'tests'): ForgeCheck {
  return { name, is, url: null, at, rerun: null };
}

interface Seen {
  readonly checks: readonly ForgeCheck[];
  readonly head?: string;
  readonly tree?: string;
  readonly required?: readonly string[];
  readonly now?: number;
}

class Looks {
  readonly table = ForgeBoard.open().labelled(label('hall:dev')).opened();

  look({ checks, head = 'c1', tree = `tree of ${head}`, required = [], now = 60_000 }: Seen): this {
    const { table } = this;
    const result = table.look({ pull: pull({ checks, head }) });
    const base = { branch: 'main', commit: 'b1', failing: [] };
    const timing = { pushedAt: 0, ciWait: CI_WAIT, now };
    const seen = { checks, timing, excerpt: '', base, tree, required };
    table.do(takeChecks(table.board, { result, seen }, { ...table.now, at: now }));
    return this;
  }

  /** The check failed and passed on one commit, so it is known to be flaky. */
  learned(): this {
    return this.look({ checks: [check('red', 1)] })
      .look({ checks: [check('green', 2)] })
      .moved('c2');
  }

  moved(commit: string): this {
    const { table } = this;
    table.cancelAll();
    const from = table.thread.forge.head ?? '';
    table.do(
      reportBranchUpdated(table.board, { thread: table.thread.id, from, commit }, table.now),
    );
    return this;
  }

  rerun(newest: number | null): this {
    const { table } = this;
    const commit = table.thread.forge.head ?? '';
    table.do(reportRerun(table.board, { thread: table.thread.id, commit, newest }, table.now));
    return this;
  }

  get action(): string | undefined {
    return nextPullRequestAction(this.table.board, this.table.thread.id)?.kind;
  }
}

describe('a flaky check', () => {
  test('is started once more instead of posting a task', () => {
    const looks = new Looks().learned().look({ head: 'c2', checks: [check('red', 10)] });
    assert.deepEqual([looks.action, looks.table.skills], ['rerun', []]);
  });

  test('counts as running until a newer result appears', () => {
    const looks = new Looks()
      .learned()
      .look({ head: 'c2', checks: [check('red', 10)] })
      .rerun(10);
    looks.look({ head: 'c2', checks: [check('red', 10)] });
    const { checks, ciRetries } = looks.table.thread.forge;
    assert.deepEqual([checks?.is, ciRetries, looks.action], ['pending', 0, undefined]);
    assert.match(cardNotices(looks.table.thread).join(), /`tests` failed and is known to be flaky/);
  });

  for (const [when, at, now] of [
    ['fails again', 20, 60_000],
    ['does not come back within 15 minutes', 10, 16 * 60_000],
  ] as const) {
    test(`that ${when} is left to an agent`, () => {
      const looks = new Looks()
        .learned()
        .look({ head: 'c2', checks: [check('red', 10)] })
        .rerun(10);
      looks.look({ head: 'c2', checks: [check('red', at)], now });
      assert.deepEqual([looks.table.skills, looks.action], [['fix-ci'], undefined]);
    });
  }

  test('that the forge cannot start again is left to an agent at once', () => {
    const looks = new Looks()
      .learned()
      .look({ head: 'c2', checks: [check('red', 10)] })
      .rerun(null);
    assert.deepEqual([looks.table.skills, looks.action], [['fix-ci'], undefined]);
  });

  test('together with one that is not flaky is left to an agent', () => {
    const checks = [check('red', 10), check('red', 10, 'lint')];
    assert.deepEqual(new Looks().learned().look({ head: 'c2', checks }).table.skills, ['fix-ci']);
  });
});

describe('failures that repeat', () => {
  function loop(...trees: readonly string[]): Looks {
    const looks = new Looks();
    for (const [n, tree] of trees.entries()) {
      const head = `c${n + 1}`;
      if (n > 0) looks.table.pushed(head);
      looks.look({ head, tree, checks: [check('red', n)] });
    }
    return looks;
  }

  test('the same files with the same failures stop the loop', () => {
    const { handedOver } = loop('a', 'b', 'a').table.thread;
    assert.match(handedOver?.because ?? '', /again those of c1, on which `tests` failed too/);
  });

  test('other files do not', () => {
    assert.equal(loop('a', 'b', 'c').table.thread.handedOver, null);
  });

  test('a green head in between forgets them', () => {
    const looks = loop('a', 'b').look({ head: 'c2', checks: [check('green', 5)] });
    looks.table.pushed('c3');
    looks.look({ head: 'c3', tree: 'a', checks: [check('red', 6, 'other')] });
    assert.equal(looks.table.thread.handedOver, null);
  });
});

test('a second red branch is compared with what is known of its base', () => {
  const { table } = new Looks();
  const known = { project: 'shop', commit: 'b9', failing: ['tests'], excerpt: '' };
  table.apply({ type: 'BaseChecksReported', ...known });
  const checks = [check('red', 1)];
  const result = table.look({ pull: pull({ checks }) });
  const base = { branch: 'main', commit: 'b9', failing: null };
  const timing = { pushedAt: 0, ciWait: CI_WAIT, now: 60_000 };
  const seen = { checks, timing, excerpt: '', base, tree: null, required: [] };
  table.do(takeChecks(table.board, { result, seen }, table.now));
  assert.match(table.thread.handedOver?.because ?? '', /`tests` is red on main already/);
});

describe('checks that the base branch requires', () => {
  const cases: readonly (readonly [string, Seen, string, RegExp])[] = [
    [
      'a missing one is waited for',
      { checks: [check('green', 1)], required: ['tests', 'deploy'] },
      'pending',
      /^$/,
    ],
    [
      'a missing one is named after ci_wait',
      { checks: [check('green', 1)], required: ['deploy'], now: CI_WAIT },
      'green',
      /`deploy` never started, and main requires it/,
    ],
    ['none at all, and none is required', { checks: [], now: CI_WAIT }, 'none', /^no CI/],
    [
      'none at all, and one is required',
      { checks: [], required: ['deploy'], now: CI_WAIT },
      'none',
      /`deploy` never started/,
    ],
    ['all of them', { checks: [check('green', 1)], required: ['tests'] }, 'green', /^$/],
  ];
  for (const [when, seen, is, notice] of cases) {
    test(when, () => {
      const { thread } = new Looks().look(seen).table;
      assert.equal(thread.forge.checks?.is, is);
      assert.match(cardNotices(thread).join(), notice);
    });
  }
});
