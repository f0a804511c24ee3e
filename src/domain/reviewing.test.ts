import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, RESULT } from '../../test/support/board-fixture.ts';
import { reportChecksCannotRun } from './checking/cannot-run.ts';
import { reportChecks } from './checking/report-checks.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { closePullRequest } from './merging/closed.ts';
import { reportConflict } from './merging/conflict.ts';
import { mergeWait, readyToMerge } from './merging/policy.ts';
import { reportMergeRefusal } from './merging/refusal.ts';
import { requestMerge } from './merging/request.ts';
import { handBack } from './operator-actions.ts';
import type { ProjectSettings } from './project.ts';
import { nextPullRequestAction } from './pull-request-actions.ts';
import { review } from './reviewing.ts';
import type { Result } from './run.ts';
import type { Checks } from './thread.ts';

describe('the pull request of a local repository', () => {
  test('a local pull request is opened by the hall under the number of its thread', () => {
    const table = new Local();
    assert.deepEqual(table.forge.pr, {
      number: table.thread,
      url: `local:shop/pulls/${table.thread}`,
      state: 'open',
    });
    assert.equal(table.forge.head, 'c1');
  });

  test('a local pull request is reviewed only after its checks', () => {
    const table = new Local();
    assert.deepEqual(table.posted, []);
    table.checks('c1', 'green');
    assert.deepEqual(table.posted, ['review']);
  });

  test('a local pull request is reviewed at once where there are no checks', () => {
    assert.deepEqual(new Local({ checks: [] }).posted, ['review']);
  });

  test('a local pull request with failed checks gets one fix-ci task for each commit', () => {
    const table = new Local();
    table.checks('c1', 'red');
    table.checks('c1', 'red');
    assert.deepEqual(table.posted, ['fix-ci']);
    assert.equal(table.forge.ciRetries, 1);
    table.work({ commit: 'c2' });
    table.checks('c2', 'green');
    assert.deepEqual(table.posted, ['review']);
    assert.equal(table.forge.ciRetries, 0);
  });

  test('check results of an outdated commit are ignored', () => {
    const table = new Local();
    table.checks('c0', 'red');
    assert.deepEqual(table.posted, []);
    assert.equal(table.forge.checks, null);
  });

  test('a local pull request goes to a person when its checks fail more often than the project allows', () => {
    const table = new Local({ maxRetries: 1 });
    table.checks('c1', 'red');
    table.work({ commit: 'c2' });
    table.checks('c2', 'red');
    assert.deepEqual(table.posted, []);
    assert.match(table.handedOver, /checks failed 2 times in a row, most recently test/);
  });

  test('a local pull request goes to a person when a check cannot start, and is checked again after the handback', () => {
    const table = new Local();
    const because = 'the command of test cannot run in the cell: npm test\nnpm: not found';
    const found = { thread: table.thread, commit: 'c1', because };
    table.do(requestMerge(table.board, table.thread, table.now));
    table.do(reportChecksCannotRun(table.board, found, table.now));
    assert.match(table.handedOver, /^the command of test cannot run.*\nnpm: not found\nfix/s);
    assert.match(table.handedOver, new RegExp(`guildhall thread handback th-${table.thread}$`));
    assert.deepEqual([table.posted, table.forge.ciRetries], [[], 0], 'no agent can mend it');
    assert.equal(
      nextPullRequestAction(table.board, table.thread),
      undefined,
      'nor is it tried again and again',
    );

    table.do(handBack(table.board, table.thread, table.now));
    assert.deepEqual(table.posted, []);
    assert.equal(nextPullRequestAction(table.board, table.thread)?.kind, 'check');
    table.do(reportChecksCannotRun(table.board, { ...found, commit: 'c0' }, table.now));
    assert.equal(table.handedOver, '', 'of a commit it has left it says nothing');
  });

  test('a local pull request goes to a person when a run that should fix it changed nothing', () => {
    const table = new Local();
    table.checks('c1', 'red');
    table.work({ commit: 'c1', summary: 'it is flaky' });
    assert.match(table.handedOver, /the last run changed nothing: it is flaky/);
  });

  test("a person's requested changes stand, whatever an agent's concurrent review says", () => {
    const table = new Local({ mergePolicy: 'on-approval', approvers: ['reviewer'] });
    table.checks('c1', 'green');
    table.judge('changes_requested');
    assert.deepEqual(table.posted, ['review', 'address-review']);
    table.review('approved');
    assert.deepEqual(table.posted, ['address-review']);
    assert.equal(table.isReady, false);
  });

  test("a person's approval stands, whatever an agent's concurrent review says", () => {
    for (const said of ['approved', 'changes_requested'] as const) {
      const table = new Local({ mergePolicy: 'on-approval' });
      table.checks('c1', 'green');
      table.judge('approved');
      table.review(said);
      assert.equal(table.forge.verdict?.type, null);
      assert.equal(table.isReady, true);
    }
  });

  test("an agent's approval does not override a person's requested changes, even after the last round", () => {
    const policy = { mergePolicy: 'on-approval', approvers: ['reviewer'], maxRounds: 1 } as const;
    const table = new Local(policy);
    table.checks('c1', 'green');
    table.judge('changes_requested');
    table.review('approved');
    assert.equal(table.isReady, false);
    assert.match(table.handedOver, /1 round of review did not end in an approval/);
    table.judge('approved');
    table.do(handBack(table.board, table.thread, table.now));
    assert.equal(table.isReady, true, 'the person may think again');
  });

  test('A11: an agent cannot approve its own work', () => {
    const table = new Local({ mergePolicy: 'on-approval', approvers: ['dev'] });
    table.checks('c1', 'red');
    const made = { commit: 'c2', verdict: 'approved' } as const;
    assert.throws(() => table.work(made), /gives no verdict/);
  });

  test('requested changes are made by an agent and reviewed again at the new commit', () => {
    const table = new Local();
    table.checks('c1', 'green');
    table.review('changes_requested');
    assert.deepEqual(table.posted, ['address-review']);
    table.work({ commit: 'c2' });
    table.checks('c2', 'green');
    assert.deepEqual(table.posted, ['review']);
    table.review('approved', 'c2');
    assert.deepEqual(table.posted, []);
    assert.equal(table.forge.rounds, 1);
  });

  test('a local pull request goes to a person after max_rounds rounds of review', () => {
    const table = new Local({ maxRounds: 1 });
    table.checks('c1', 'green');
    table.review('changes_requested');
    assert.match(table.handedOver, /1 round of review/);
  });

  test("a person's review has the same effect as an agent's", () => {
    const table = new Local({ mergePolicy: 'on-approval' });
    table.instance('reviewer-default', 'reviewer', { enabled: false });
    table.checks('c1', 'green');
    table.judge('changes_requested');
    assert.deepEqual(table.posted, ['address-review']);
    table.work({ commit: 'c2' });
    table.checks('c2', 'green');
    table.judge('approved');
    assert.equal(table.isReady, true);
  });

  test('a local pull request goes to a person when a review gives no verdict, instead of being reviewed again', () => {
    const table = new Local();
    table.checks('c1', 'green');
    table.work({ branch: null, summary: 'no opinion' });
    assert.deepEqual(table.posted, []);
    assert.match(table.handedOver, /the review gave no verdict: no opinion/);
  });

  test('a local pull request goes to a person when the task that should fix it fails', () => {
    const table = new Local();
    table.checks('c1', 'red');
    table.report(table.claim(), { how: 'failed', reason: 'failed', result: RESULT });
    assert.match(table.handedOver, /^t-\d+ is failed$/);
  });

  test('a local pull request resumes after the handback, with its counters reset', () => {
    const table = new Local({ maxRounds: 1 });
    table.checks('c1', 'green');
    table.review('changes_requested');
    assert.match(table.handedOver, /1 round of review/);
    table.do(handBack(table.board, table.thread, table.now));
    assert.equal(table.handedOver, '');
    assert.deepEqual(table.posted, ['address-review']);
    assert.equal(table.forge.rounds, 0);
  });

  test('a local pull request that conflicts with its base gets a rebase task', () => {
    const table = new Local();
    table.checks('c1', 'green');
    table.review('approved');
    const found = { thread: table.thread, commit: 'c1', files: ['a.ts'] };
    table.do(reportConflict(table.board, found, table.now));
    assert.deepEqual(table.posted, ['rebase']);
    assert.equal(table.forge.verdict, null);
  });

  test('closing a local pull request ends its thread', () => {
    const table = new Local();
    table.do(closePullRequest(table.board, table.thread));
    const closed = table.board.closing.threads.get(table.thread);
    assert.equal(closed?.state, 'ended');
    assert.equal(closed?.forge.pr?.state, 'closed');
  });

  test('the hall takes no action on a pull request of a forge', () => {
    const table = new Local({ repo: 'github:acme/shop' });
    assert.deepEqual(table.posted, []);
    const refused = table.refused(requestMerge(table.board, table.thread, table.now));
    assert.equal(refused.refused, 'not_on_this_forge');
  });
});

describe('merging', () => {
  test('under merge_policy human, a merge waits for a request by a person and for green checks', () => {
    const table = new Local();
    table.checks('c1', 'red');
    table.work({ commit: 'c2' });
    table.do(requestMerge(table.board, table.thread, table.now));
    assert.equal(table.isReady, false);
    table.checks('c2', 'green');
    table.review('approved', 'c2');
    assert.equal(table.isReady, true);
  });

  test('a refused merge goes to a person, with the reason', () => {
    const table = new Local({ checks: [] });
    table.review('approved');
    table.do(requestMerge(table.board, table.thread, table.now));
    const found = { thread: table.thread, because: 'main is checked out there' };
    table.do(reportMergeRefusal(table.board, found, table.now));
    assert.match(table.handedOver, /the merge was refused: main is checked out there/);
    assert.equal(table.isReady, false);
  });

  test("under merge_policy on-approval, an agent's approval counts only where approvers lists its type", () => {
    for (const approvers of [[], ['dev'], ['reviewer']]) {
      const table = new Local({ mergePolicy: 'on-approval', approvers });
      table.checks('c1', 'green');
      table.review('approved');
      assert.equal(table.isReady, approvers.includes('reviewer'));
    }
  });

  test('under merge_policy on-approval, the approval of an older commit does not count', () => {
    const table = new Local({ mergePolicy: 'on-approval', approvers: ['reviewer'] });
    table.checks('c1', 'green');
    table.review('approved', 'c0');
    assert.equal(table.isReady, false);
  });

  test('under merge_policy force-at-max-rounds, the last round skips the approval but not the checks', () => {
    const table = new Local({ mergePolicy: 'force-at-max-rounds', maxRounds: 1 });
    table.checks('c1', 'green');
    table.review('changes_requested');
    assert.equal(table.isReady, true);
    assert.equal(new Local({ mergePolicy: 'force-at-max-rounds', maxRounds: 0 }).isReady, false);
  });

  test('under merge_policy on-approval, work without checks is merged only if ci is none', () => {
    for (const ci of ['required', 'none'] as const) {
      const table = new Local({
        checks: [],
        ci,
        mergePolicy: 'on-approval',
        approvers: ['reviewer'],
      });
      table.review('approved');
      assert.equal(table.isReady, ci === 'none');
    }
  });
});

describe('what a pull request waits for', () => {
  const waitOf = (table: Local) => mergeWait(table.board, table.open);
  const policy = { mergePolicy: 'on-approval' } as const;

  test('a pull request without a reviewer shows both ways to get its approval', () => {
    const table = new Local(policy).instance('reviewer-default', 'reviewer', { enabled: false });
    assert.equal(waitOf(table), 'waits for its checks');
    table.checks('c1', 'green');
    assert.equal(
      waitOf(table),
      `waits for a review, but no agent can approve: declare a type reviewer and list it in approvers, or approve it with: guildhall thread review th-${table.thread} --approve`,
    );
    table.judge('approved');
    assert.deepEqual([waitOf(table), table.isReady], [null, true]);
  });

  test('a pull request with an approval that does not count shows what it waits for', () => {
    const table = new Local(policy);
    table.checks('c1', 'green');
    assert.equal(waitOf(table), null, 'a task of it is open, and has a why of its own');
    table.review('approved');
    assert.match(
      waitOf(table) ?? '',
      /one by agent type reviewer does not: add that type to approvers, or/,
    );
  });

  test('a pull request shows that it waits for a person because of the policy or missing checks', () => {
    const human = new Local();
    human.checks('c1', 'green');
    human.review('approved');
    assert.match(waitOf(human) ?? '', /waits for a person to merge it: merge_policy is human/);
    const unchecked = new Local({ ...policy, approvers: ['reviewer'], checks: [] });
    unchecked.review('approved');
    assert.match(
      waitOf(unchecked) ?? '',
      /shop has no checks, and unchecked work is merged automatically only if ci: none is set/,
    );
  });

  test('an idle pull request shows no wait exactly when the hall may merge it', () => {
    for (const approvers of [[], ['reviewer']]) {
      for (const mergePolicy of ['human', 'on-approval', 'force-at-max-rounds'] as const) {
        const table = new Local({ mergePolicy, approvers });
        table.checks('c1', 'green');
        table.review('approved');
        assert.equal(waitOf(table) === null, table.isReady);
      }
    }
  });
});

/** A thread whose first run opened a pull request at commit c1. */
class Local extends BoardFixture {
  readonly thread: ThreadId;

  constructor(settings: Partial<ProjectSettings> = {}) {
    super();
    const checks = [{ name: 'test', run: 'npm test' }];
    this.project('shop', { repo: 'file:/srv/shop', checks, ...settings });
    for (const type of ['boss', 'dev', 'reviewer'])
      this.type(type).instance(`${type}-default`, type);
    this.thread = this.post().thread;
    const pr = settings.repo ? { number: 7, url: 'https://forge/7' } : null;
    this.work({ commit: 'c1', branch: 'hall/dev/issue-1', pr }, 'pr_created');
  }

  get forge() {
    const { forge } = this.open;
    return forge;
  }

  get open() {
    const thread = this.board.threads.get(this.thread);
    assert.ok(thread, 'the thread is open');
    return thread;
  }

  /** The skills of its open tasks. */
  get posted(): readonly (string | undefined)[] {
    return this.open.tasks.map((id) => this.board.tasks.get(id)?.skill);
  }

  get handedOver(): string {
    return this.open.handedOver?.because ?? '';
  }

  get isReady(): boolean {
    const settings = this.board.projects.get('shop')?.settings;
    assert.ok(settings);
    return readyToMerge(this.open, settings);
  }

  checks(commit: string, is: Checks['is']): void {
    const checks = { commit, is, failing: is === 'red' ? ['test'] : [] };
    this.do(reportChecks(this.board, { thread: this.thread, checks, excerpt: 'red' }, this.now));
  }

  work(result: Partial<Result>, outcome: 'pr_created' | 'completed' = 'completed'): void {
    const skill = this.board.tasks.get(this.open.tasks[0] as TaskId)?.type ?? 'dev';
    const whole = { ...RESULT, branch: result.verdict ? null : 'hall/dev/issue-1', ...result };
    const worker = this.worker(`${skill}-default`);
    this.report(this.claim(worker), { how: 'completed', outcome, result: whole, children: [] });
  }

  /** By a person. */
  judge(is: 'approved' | 'changes_requested'): void {
    this.do(review(this.board, { thread: this.thread, is, text: 'hm' }, this.now));
  }

  review(verdict: 'approved' | 'changes_requested', commit = 'c1'): void {
    this.work({ verdict, commit, details: 'look again' });
  }
}
