import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, DONE, RESULT } from '../../test/support/board-fixture.ts';
import type { Decision } from './decision.ts';
import { edit } from './editing.ts';
import type { TaskId } from './ids.ts';
import { loseWorker, timeOutRun } from './lost-worker.ts';
import { markMerged } from './merging/merged.ts';
import { answer, cancel, handBack, handOver, release, retry } from './operator-actions.ts';
import { reopen } from './reopening.ts';
import { askQuestion } from './reporting.ts';

const FAILED = { how: 'failed', reason: 'failed', result: RESULT } as const;

/** The ways in which a task ends without being completed. */
const GIVING_UP: Readonly<Record<string, (table: BoardFixture, task: TaskId) => void>> = {
  cancelled: (table, task) =>
    table.do(cancel(table.board, table.recalled, { task, because: '' }, table.now)),
  failed: (table) => table.report(table.claim(), FAILED),
  overrun: (table) => table.do(timeOutRun(table.board, table.claim().run, table.now)),
  lost: (table) => {
    table.project('shop', { crashRequeues: 0 });
    const worker = table.worker();
    table.claim(worker);
    table.do(loseWorker(table.board, worker.id, 'silent', table.now));
  },
};

describe('an operator', () => {
  test('an operator cancels a waiting task', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.do(cancel(table.board, table.recalled, { task, because: 'no' }, table.now));

    assert.equal(table.state(task), 'cancelled');
    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');
  });

  test('an operator cancels a running task, and its worker can no longer change it', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const { run } = table.claim();
    table.do(cancel(table.board, table.recalled, { task, because: 'no' }, table.now));

    assert.equal(table.state(task), 'cancelled');
    assert.equal(table.run(run), undefined);
    assert.equal(table.board.runningIn.size, 0);
  });

  test('a task cancelled without a reason names the operator', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.do(cancel(table.board, table.recalled, { task, because: '' }, table.now));

    const state = table.closed.get(task)?.state;
    assert.equal(state && 'summary' in state && state.summary, 'operator:ada gave no reason');
  });

  test('an operator cannot cancel an ended or unknown task', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.report(table.claim());
    const attempt = (id: TaskId) =>
      table.refused(cancel(table.board, table.recalled, { task: id, because: '' }, table.now));

    assert.equal(attempt(task).refused, 'task_closed');
    assert.equal(attempt(999 as TaskId).refused, 'unknown_task');
  });

  test('releasing a task from its worker does not count as a crash', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.claim();
    table.do(release(table.board, table.recalled, { task, because: 'stuck' }, table.now));

    assert.equal(table.state(task), 'available');
    assert.equal(table.board.tasks.get(task)?.crashes, 0);
  });

  test('an operator cannot release a task that no worker has claimed', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const attempt = release(table.board, table.recalled, { task, because: '' }, table.now);

    assert.equal(table.refused(attempt).refused, 'task_not_held');
  });

  test('a refused action names the actions that are possible instead', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    const { board, recalled } = table;
    const saying = (decision: Decision<unknown>) => {
      const { refused, because } = table.refused(decision);
      return `${refused}: ${because}`;
    };
    const asked = { task, because: '' };
    assert.match(
      saying(release(board, recalled, asked, table.now)),
      /^task_not_held: .*t-\d+ is available; see what it is waiting for: guildhall task why t-\d+/,
    );
    const claimed = table.claim();
    const held =
      /t-\d+ is claimed; take it back from its worker with: guildhall task release t-\d+/;
    for (const [refused, decision] of [
      ['task_not_deferred', retry(board, recalled, task, table.now)],
      ['task_not_waiting_for_answer', answer(board, recalled, { task, text: 'x' }, table.now)],
      ['task_not_closed', reopen(board, recalled, { task, title: '', body: '' }, table.now)],
    ] as const) {
      const said = saying(decision);
      assert.ok(said.startsWith(refused), said);
      assert.match(said, held);
    }
    assert.match(
      saying(markMerged(board, thread, table.now)),
      /^no_open_pull_request: .*pr_created/,
    );
    table.report(claimed);
    assert.match(
      saying(cancel(board, recalled, asked, table.now)),
      /^task_closed: t-\d+ is completed; reopen it as a new task with: guildhall task reopen t-\d+/,
    );
    assert.match(
      saying(markMerged(board, thread, table.now)),
      /^no_open_pull_request: th-\d+ is closed/,
    );
  });

  test('an operator starts a deferred task at once', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.report(table.claim(), { how: 'deferred', until: 9e9, why: 'quota' });
    table.do(retry(table.board, table.recalled, task, table.now));

    assert.equal(table.claim().task, task);
    assert.equal(table.board.due.size, 0);
  });

  test('an answered task is resumed at its old place in the queue', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.post();
    const lease = { ...table.claim(), worker: null };
    table.do(askQuestion(table.board, lease, { question: 'red?', session: null }, table.now));
    table.do(answer(table.board, table.recalled, { task, text: 'red' }, table.now));

    assert.equal(table.claim().task, task);
  });

  for (const [how, give] of Object.entries(GIVING_UP)) {
    test(`a thread whose pull request is merged is done, even when its last task is ${how}`, () => {
      const table = BoardFixture.usual();
      const { task, thread } = table.post();
      const { task: next } = table.post({ dependsOn: [{ task }] });
      const pr = { number: 7, url: 'https://forge.test/shop/7' };
      const made = {
        ...DONE,
        outcome: 'pr_created',
        result: { ...RESULT, branch: 'b', pr },
      } as const;
      table.report(table.claim(), made);
      const again = table.do(
        reopen(table.board, table.recalled, { task, title: '', body: '' }, table.now),
      );
      table.do(markMerged(table.board, thread, table.now));
      assert.equal(table.state(next), 'blocked');

      give(table, again);
      assert.equal(table.state(next), 'available');
      assert.equal(table.board.threads.has(thread), false);
    });
  }

  test('a thread that was done stays done when it is reopened by mistake', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    table.report(table.claim());
    const again = table.do(
      reopen(table.board, table.recalled, { task, title: '', body: '' }, table.now),
    );
    table.do(cancel(table.board, table.recalled, { task: again, because: 'a mistake' }, table.now));
    const { task: next } = table.post({ dependsOn: [{ thread }] });
    assert.equal(table.state(next), 'available');
  });

  test('a failed task is reopened as a new task that is linked to it, at the place of its thread', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    table.post();
    table.report(table.claim(), { how: 'failed', reason: 'failed', result: RESULT });
    const asked = { task, title: 'again', body: '' };
    const again = table.do(reopen(table.board, table.recalled, asked, table.now));

    assert.equal(table.board.tasks.get(again)?.reopens, task);
    assert.equal(table.board.tasks.get(again)?.thread, thread);
    const twice = table.refused(reopen(table.board, table.recalled, asked, table.now));
    assert.match(twice.because, new RegExp(`for the same work: t-${again} is `));
    assert.equal(table.claim().task, again);
  });

  test('a task is not reopened while another task of its thread does the same work', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post({ skill: 'address-review' });
    table.report(table.claim(), { how: 'failed', reason: 'failed', result: RESULT });
    const asked = { task, title: 'again', body: '' };
    const again = table.do(reopen(table.board, table.recalled, asked, table.now));
    assert.equal(table.board.tasks.get(again)?.thread, thread);

    const refusal = table.refused(reopen(table.board, table.recalled, asked, table.now));
    assert.match(refusal.because, new RegExp(`for the same work: t-${again} is `));
    table.do(cancel(table.board, table.recalled, { task: again, because: 'a mistake' }, table.now));
    table.do(reopen(table.board, table.recalled, asked, table.now));
  });

  test('an operator takes over a thread, which stops its run, and hands it back', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    table.claim();
    table.do(handOver(table.board, { thread, because: null }, table.now));
    assert.equal(table.state(task), 'available');
    assert.equal(table.board.runs.size, 0);
    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');

    table.do(handBack(table.board, thread, table.now));
    assert.equal(table.claim().task, task);
  });
});

describe('an edit', () => {
  const editing = (
    table: BoardFixture,
    task: TaskId,
    change: Parameters<typeof edit>[2]['change'],
  ) => edit(table.board, table.recalled, { task, change }, table.now);

  test('an edit that makes a task XL turns it into a decomposition', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.do(editing(table, task, { size: 'XL' }));

    assert.equal(table.board.tasks.get(task)?.skill, 'decompose');
    assert.equal(table.claim(table.worker('boss-default')).task, task);
  });

  test('an edit that adds a dependency blocks the task, and removing it unblocks the task', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const { task } = table.post();
    table.do(editing(table, task, { dependsOn: [{ task: first.task }] }));
    assert.equal(table.state(task), 'blocked');

    table.do(editing(table, task, { dependsOn: [] }));
    assert.equal(table.state(task), 'available');
    assert.equal(table.board.dependents.size, 0);
  });

  test('an edit that closes a cycle of dependencies is refused', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const second = table.post({ dependsOn: [{ task: first.task }] });
    const third = table.post({ dependsOn: [{ task: second.task }] });
    const refusal = table.refused(
      editing(table, first.task, { dependsOn: [{ task: third.task }] }),
    );

    assert.equal(refusal.refused, 'dependency_cycle');
  });

  test('an edit that makes a child wait for its parent is refused, because neither could ever be done', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const child = table.post({ parent: parent.task });
    const refusal = table.refused(
      editing(table, child.task, { dependsOn: [{ task: parent.task }] }),
    );

    assert.equal(refusal.refused, 'dependency_cycle');
  });

  test('an edit of a claimed task is refused', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.claim();

    assert.equal(table.refused(editing(table, task, { title: 'x' })).refused, 'held_by_run');
  });

  test('an edit that names another agent moves the task to the queue of that agent', () => {
    const table = BoardFixture.usual().instance('dev-two', 'dev');
    const { task } = table.post();
    table.do(editing(table, task, { agent: 'dev-two' }));

    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');
    assert.equal(table.claim(table.worker('dev-two')).task, task);
  });
});
