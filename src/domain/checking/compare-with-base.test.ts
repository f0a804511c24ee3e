import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, RESULT } from '../../../test/support/board-fixture.ts';
import type { TaskId, ThreadId } from '../ids.ts';
import { reportConflict } from '../merging/conflict.ts';
import { handBack, handOver } from '../operator-actions.ts';
import { nextPullRequestAction } from '../pull-request-actions.ts';
import type { Thread } from '../thread.ts';
import { mendedChecks } from './compare-with-base.ts';
import { recheck } from './recheck.ts';
import { reportBaseChecks } from './report-base-checks.ts';
import { reportChecks } from './report-checks.ts';
import { reportBranchUpdated } from './update-branch.ts';

describe('red checks', () => {
  test('a red check posts no fix-ci before the checks of its base commit have run', () => {
    const table = new Shop();
    const thread = table.pull('c1');
    table.checks(thread, 'c1', ['tests']);
    assert.deepEqual([table.posted(thread), table.actionOf(thread)], [[], 'check-base']);
    table.base('b1', []);
    assert.deepEqual([table.posted(thread), table.actionOf(thread)], [['fix-ci'], undefined]);
  });

  test('a check that is red on the base already hands the thread over, with both outputs', () => {
    const table = new Shop();
    const thread = table.pull('c1');
    table.checks(thread, 'c1', ['tests']);
    table.base('b1', ['tests']);
    assert.deepEqual(table.posted(thread), []);
    assert.match(
      table.handedOver(thread),
      /^`tests` is red on main already, at b1\n.*guildhall thread recheck th-\d+$/,
    );
    const compared = table.events.findLast((event) => event.type === 'ChecksCompared');
    assert.equal(compared?.excerpt, 'output on the base');
  });

  test('agents are paid only for the checks that the branch broke itself', () => {
    const table = new Shop();
    const thread = table.pull('c1');
    table.base('b1', ['tests']);
    table.checks(thread, 'c1', ['tests', 'lint']);
    assert.deepEqual(table.posted(thread), ['fix-ci']);
    const posted = table.events.findLast((event) => event.type === 'TaskPosted');
    assert.match(posted?.task.body ?? '', /^These checks fail: lint\. Leave tests alone/);
  });

  test('a base commit is checked once for all branches that start from it', () => {
    const table = new Shop();
    const [one, other] = [table.pull('c1'), table.pull('d1')];
    table.checks(one, 'c1', ['tests']);
    table.base('b1', ['tests']);
    table.checks(other, 'd1', ['tests']);
    assert.notEqual(table.actionOf(other), 'check-base');
    assert.match(table.handedOver(other), /red on main already/);
  });

  test('the checks of a base run again after the project changed its commands', () => {
    const table = new Shop();
    const thread = table.pull('c1');
    table.base('b1', ['tests']);
    table.project('shop', { ...SHOP, checks: [{ name: 'tests', run: 'make test' }] });
    table.checks(thread, 'c1', ['tests']);
    assert.equal(table.actionOf(thread), 'check-base');
  });

  test('a check that is red on the base and green on the branch is mended', () => {
    const table = new Shop();
    const thread = table.pull('c1');
    table.checks(thread, 'c1', []);
    assert.deepEqual(table.posted(thread), ['review'], 'the review does not wait for the base');
    assert.equal(table.actionOf(thread), 'check-base');
    table.base('b1', ['tests']);
    const { checks } = table.open(thread).forge;
    assert.deepEqual(checks && mendedChecks(checks), ['tests']);
    assert.deepEqual(table.posted(thread), ['review'], 'nothing is posted twice');
  });

  test('nothing counts as mended where the setup of the branch fails', () => {
    const base = { branch: 'main', commit: 'b1', failing: ['tests'] };
    assert.deepEqual(mendedChecks({ commit: 'c1', is: 'red', failing: ['setup'], base }), []);
  });
});

describe('a thread whose base is red', () => {
  test('a thread whose base is red waits for a newer base and continues on it', () => {
    const { table, thread } = onRedBase();
    assert.equal(table.actionOf(thread), 'update');
    table.do(reportBranchUpdated(table.board, { thread, from: 'c0', commit: 'c2' }, table.now));
    assert.equal(table.open(thread).forge.head, 'c1', 'an older head says nothing');
    table.do(reportBranchUpdated(table.board, { thread, from: 'c1', commit: 'c2' }, table.now));
    assert.equal(table.handedOver(thread), '');
    assert.equal(table.actionOf(thread), 'check');
    assert.equal(table.open(thread).forge.ciRetries, 0, 'the red base cost it no attempt');
    table.checks(thread, 'c2', ['tests'], 'b2');
    table.base('b2', []);
    assert.deepEqual(table.posted(thread), ['fix-ci']);
  });

  test('an agent takes in the newer base where the host finds a conflict', () => {
    const { table, thread } = onRedBase();
    table.do(reportConflict(table.board, { thread, commit: 'c1', files: ['a'] }, table.now));
    assert.deepEqual([table.handedOver(thread), table.posted(thread)], ['', ['rebase']]);
  });

  test('a thread that a person has taken over is not moved onto a newer base', () => {
    const table = new Shop();
    const thread = table.pull('c1');
    table.checks(thread, 'c1', ['tests']);
    table.do(handOver(table.board, { thread, because: 'mine' }, table.now));
    table.base('b1', ['tests']);
    assert.deepEqual([table.handedOver(thread), table.actionOf(thread)], ['mine', undefined]);
  });

  test('a recheck runs the checks of the branch and of its red base again', () => {
    const { table, thread } = onRedBase();
    table.do(recheck(table.board, thread));
    assert.deepEqual([table.handedOver(thread), table.actionOf(thread)], ['', 'check']);
    table.checks(thread, 'c1', ['tests']);
    assert.equal(table.actionOf(thread), 'check-base');
    table.base('b1', ['tests']);
    assert.match(table.handedOver(thread), /red on main already/);
    assert.equal(table.open(thread).forge.ciRetries, 1);
  });

  test('a base that turns out green brings back every thread that waited for it', () => {
    const { table, thread } = onRedBase();
    const other = table.pull('d1');
    table.checks(other, 'd1', ['tests']);
    table.do(recheck(table.board, other));
    table.checks(other, 'd1', []);
    table.base('b1', []);
    assert.deepEqual([table.handedOver(thread), table.actionOf(thread)], ['', 'check']);
  });

  test('red checks run again after the handback, before an agent is paid to fix them', () => {
    const table = new Shop();
    table.project('shop', { ...SHOP, maxRetries: 0 });
    const thread = table.pull('c1');
    table.base('b1', []);
    table.checks(thread, 'c1', ['tests']);
    assert.match(table.handedOver(thread), /checks failed/);
    table.do(handBack(table.board, thread, table.now));
    assert.deepEqual([table.handedOver(thread), table.posted(thread)], ['', []]);
    assert.equal(table.actionOf(thread), 'check');
    table.checks(thread, 'c1', []);
    assert.deepEqual(table.posted(thread), ['review']);
  });

  test('the handback checks the branch and its red base again', () => {
    const { table, thread } = onRedBase();
    table.do(handBack(table.board, thread, table.now));
    assert.deepEqual([table.posted(thread), table.actionOf(thread)], [[], 'check']);
    table.checks(thread, 'c1', ['tests']);
    assert.equal(table.actionOf(thread), 'check-base');
  });

  test('a recheck is refused where a person has the thread, and where there are no checks', () => {
    const { table, thread } = onRedBase();
    table.do(handBack(table.board, thread, table.now));
    table.do(handOver(table.board, { thread, because: 'mine' }, table.now));
    assert.equal(table.refused(recheck(table.board, thread)).refused, 'thread_handed_over');
    table.project('shop', { ...SHOP, checks: [] });
    assert.equal(table.refused(recheck(table.board, thread)).refused, 'no_checks');
    table.project('shop', { ...SHOP, repo: 'github:acme/shop' });
    assert.equal(table.refused(recheck(table.board, thread)).refused, 'not_on_this_forge');
  });
});

const SHOP = {
  repo: 'file:/srv/shop',
  checks: [
    { name: 'tests', run: 'npm test' },
    { name: 'lint', run: 'npm run lint' },
  ],
};

function onRedBase(): { readonly table: Shop; readonly thread: ThreadId } {
  const table = new Shop();
  const thread = table.pull('c1');
  table.checks(thread, 'c1', ['tests']);
  table.base('b1', ['tests']);
  return { table, thread };
}

/** A local project whose branches start from commit b1 of main. */
class Shop extends BoardFixture {
  constructor() {
    super();
    this.project('shop', SHOP);
    for (const type of ['dev', 'reviewer']) this.type(type).instance(`${type}-default`, type);
  }

  /** A thread whose first run opened a pull request at this commit. */
  pull(commit: string): ThreadId {
    const { thread } = this.post();
    const result = { ...RESULT, branch: `hall/dev/issue-${thread}`, commit };
    this.report(this.claim(), { how: 'completed', outcome: 'pr_created', result, children: [] });
    return thread;
  }

  checks(thread: ThreadId, commit: string, failing: readonly string[], start = 'b1'): void {
    const is = failing.length === 0 ? 'green' : 'red';
    const base = { branch: 'main', commit: start, failing: null };
    const checks = { commit, is, failing, base } as const;
    this.do(reportChecks(this.board, { thread, checks, excerpt: 'output' }, this.now));
  }

  base(commit: string, failing: readonly string[]): void {
    const excerpt = failing.length === 0 ? '' : 'output on the base';
    this.do(reportBaseChecks(this.board, { project: 'shop', commit, failing, excerpt }, this.now));
  }

  open(id: ThreadId): Thread {
    const thread = this.board.threads.get(id);
    assert.ok(thread, 'the thread is open');
    return thread;
  }

  posted(id: ThreadId): readonly (string | undefined)[] {
    return this.open(id).tasks.map((task: TaskId) => this.board.tasks.get(task)?.skill);
  }

  handedOver(id: ThreadId): string {
    return this.open(id).handedOver?.because ?? '';
  }

  actionOf(id: ThreadId): string | undefined {
    return nextPullRequestAction(this.board, id)?.kind;
  }
}
