import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, DONE, RESULT } from '../../test/support/board-fixture.ts';
import type { Fence, TaskId } from './ids.ts';
import { markMerged } from './merging/merged.ts';
import { approve, cancel } from './operator-actions.ts';
import { askQuestion, type Child, recordUsage, report, start } from './reporting.ts';
import { progressOf } from './thread.ts';

describe('a report', () => {
  test('a report ends the run and the task, and frees the slot', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.report(table.claim());

    assert.equal(table.state(task), 'completed');
    assert.equal(table.board.runningIn.get('shop'), undefined);
    assert.equal(table.board.tallies.get('shop')?.completed, 1);
  });

  test('the report of the last task of a thread records that the thread is done', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const child = table.post({ parent: parent.task });
    const after = table.post({ dependsOn: [{ thread: child.thread }] });
    const [first, second] = [table.claim(), table.claim()];
    const told = table.events.length;
    table.report(first);
    table.report(second);

    assert.deepEqual(
      table.events.slice(told).map((event) => [event.type, 'done' in event]),
      [
        ['RunEnded', false],
        ['RunEnded', true],
        ['TaskUnblocked', false],
        ['ThreadDone', false],
      ],
    );
    assert.equal(table.state(after.task), 'available');
    assert.equal(table.board.threads.has(parent.thread), false);
    assert.equal(table.board.closing.threads.get(child.thread)?.state, 'done');
  });

  test('a report with an outdated fence changes nothing', () => {
    const table = BoardFixture.usual();
    table.post();
    const { run, fence } = table.claim();
    const lease = { run, fence: (fence - 1) as Fence, worker: null };

    assert.equal(table.refused(report(table.board, lease, DONE, table.now)).refused, 'stale_fence');
  });

  test('a report after the end of the run changes nothing', () => {
    const table = BoardFixture.usual();
    table.post();
    const claimed = table.claim();
    table.report(claimed);
    const lease = { ...claimed, worker: null };

    assert.equal(table.refused(report(table.board, lease, DONE, table.now)).refused, 'stale_fence');
  });

  test('a report from another worker changes nothing', () => {
    const table = BoardFixture.usual();
    table.post();
    const claimed = table.claim();
    const lease = { ...claimed, worker: table.worker().id };

    assert.equal(
      table.refused(report(table.board, lease, DONE, table.now)).refused,
      'not_your_run',
    );
  });

  test('a rejection is final and counted by its code', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const rejection = {
      reasonCode: 'underspecified' as const,
      message: 'which shop?',
      missing: ['shop'],
      questions: [],
      suggestedSize: null,
    };
    table.report(table.claim(), { how: 'rejected', rejection });

    assert.equal(table.state(task), 'rejected');
    assert.deepEqual(table.board.tallies.get('shop')?.rejections, { underspecified: 1 });
    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');
  });

  test('a report without a summary still ends the task with a reason', () => {
    const table = BoardFixture.usual();
    const result = { ...RESULT, summary: ' ' };
    const [completed, failed] = [table.post().task, table.post().task];
    table.report(table.claim(), { ...DONE, result });
    table.report(table.claim(), { how: 'failed', reason: 'max_turns_exceeded', result });

    const reasons = [completed, failed].map((id) => table.closed.get(id)?.state);
    assert.deepEqual(
      reasons.map((state) => state && 'summary' in state && state.summary),
      [
        'the worker reported completed without a summary',
        'the worker reported max_turns_exceeded without a summary',
      ],
    );
  });

  test('a report of an exhausted quota defers the task', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    table.report(table.claim(), { how: 'deferred', until: 9_000, why: 'quota' });

    assert.equal(table.state(task), 'deferred');
    assert.deepEqual(table.board.due.first(), [9_000, task]);
  });

  test('a report with an open pull request leaves the thread open until the merge', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const second = table.post({ dependsOn: [{ task: first.task }] });
    const pr = { number: 7, url: 'https://forge.example/7' };
    table.report(table.claim(), {
      ...DONE,
      outcome: 'pr_created',
      result: { ...RESULT, branch: 'b', pr },
    });

    assert.equal(table.state(first.task), 'completed');
    assert.equal(table.state(second.task), 'blocked');

    table.do(markMerged(table.board, first.thread, table.now));
    assert.equal(table.state(second.task), 'available');
  });
});

describe('a question', () => {
  test('a question ends the run, and the task waits for the answer', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const claimed = table.claim();
    const question = { question: 'red or blue?', session: 's-1' };
    table.do(askQuestion(table.board, { ...claimed, worker: null }, question, table.now));

    assert.equal(table.state(task), 'awaiting_input');
    assert.equal(table.board.runs.size, 0);
  });
});

describe('usage', () => {
  test('the usage of a run only grows', () => {
    const table = BoardFixture.usual();
    table.post();
    const claimed = table.claim();
    const lease = { ...claimed, worker: null };
    const usage = { inputTokens: 10, outputTokens: 5, turns: 2, costUsd: 0.5 };
    table.do(recordUsage(table.board, lease, usage));
    table.do(recordUsage(table.board, lease, { ...usage, inputTokens: 3 }));

    assert.deepEqual(table.run(claimed.run)?.usage, usage);
  });
});

describe('starting', () => {
  test('starting a run twice counts as one start', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const lease = { ...table.claim(), worker: null };
    table.do(start(table.board, lease));
    table.do(start(table.board, lease));

    assert.equal(table.state(task), 'running');
    assert.equal(table.events.filter(({ type }) => type === 'RunStarted').length, 1);
  });
});

describe('a decomposition', () => {
  const children = (count: number): Child[] =>
    Array.from({ length: count }, (_, n) => ({
      title: `part ${n}`,
      body: '',
      labels: [],
      dependsOn: n === 0 ? [] : [{ ref: `c${n - 1}` }],
      ref: `c${n}`,
      skill: 'implement',
    }));

  function split(count: number, autoApprove = true) {
    const table = BoardFixture.usual().project('shop', { autoApprove });
    const parent = table.post({ size: 'XL' });
    const boss = table.worker('boss-default');
    const claimed = table.claim(boss);
    return { table, parent, said: { ...DONE, children: children(count) }, claimed };
  }

  test('the children of a decomposition have their own threads, and the parent shows how many are done', () => {
    const { table, parent, said, claimed } = split(5);
    table.report(claimed, said);
    for (let n = 0; n < 3; n += 1) table.report(table.claim());

    const thread = table.board.threads.get(parent.thread);
    assert.equal(thread && progressOf(thread), '3 of 5 completed');
  });

  test('a decomposition is done, and its dependents are unblocked, when its last child is done', () => {
    const { table, parent, said, claimed } = split(5);
    const after = table.post({ dependsOn: [{ thread: parent.thread }] });
    table.report(claimed, said);
    for (let n = 0; n < 5; n += 1) {
      assert.equal(table.state(after.task), 'blocked');
      table.report(table.claim());
    }

    assert.equal(table.state(after.task), 'available');
    assert.equal(table.board.threads.has(parent.thread), false);
  });

  for (const count of [0, 4, 26]) {
    test(`a decomposition of an XL task into ${count} children is refused`, () => {
      const { table, said, claimed } = split(count);
      const lease = { ...claimed, worker: null };
      const refusal = table.refused(report(table.board, lease, said, table.now));

      assert.equal(refusal.refused, 'children_out_of_range');
    });
  }

  test('a decomposition only proposes its children where a person must approve them', () => {
    const { table, parent, said, claimed } = split(5, false);
    table.report(claimed, said);
    const proposed = [...table.board.tasks.values()].map((task) => task.state.is);
    assert.deepEqual(proposed, Array(5).fill('proposed'));

    const asked = { task: parent.task, only: null };
    const approved = table.do(approve(table.board, table.recalled, asked, table.now));

    assert.deepEqual(
      approved.map((id) => table.state(id)),
      ['available', ...Array(4).fill('blocked')],
    );
  });

  test('a decomposition cannot set the size of its children, not even with a label', () => {
    const { table, parent, said, claimed } = split(5);
    const labelled = said.children.map((child) => ({ ...child, labels: ['ui', 'size:xs'] }));
    table.report(claimed, { ...said, children: labelled });

    for (const thread of table.board.threads.values()) {
      if (thread.parent !== parent.thread) continue;
      assert.equal(thread.size, 'M');
      assert.deepEqual(thread.labels, ['ui']);
    }
  });

  test('a cancelled child no longer counts for its parent', () => {
    const { table, parent, said, claimed } = split(5);
    table.report(claimed, said);
    const last = Math.max(...table.board.tasks.keys()) as TaskId;
    table.do(cancel(table.board, table.recalled, { task: last, because: 'not needed' }, table.now));

    assert.equal(table.board.threads.get(parent.thread)?.children, 4);
  });
});
