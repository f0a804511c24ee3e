import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, DONE, RESULT } from '../../test/support/board-fixture.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { cancel } from './operator-actions.ts';
import { nextStep, whyEnded } from './operator-hints.ts';
import { hasEnded, type Task } from './task.ts';
import type { Thread } from './thread.ts';

function threadOf(table: BoardFixture, id: ThreadId): Thread {
  return (table.board.threads.get(id) ?? table.board.closing.threads.get(id)) as Thread;
}

function ended(table: BoardFixture, id: TaskId): Task {
  return table.closed.get(id) ?? assert.fail('it has not ended');
}

const NOTHING = { proposed: [], wait: null };

describe('the next step of a task', () => {
  test('an open task has no next step of its own', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    assert.equal(
      nextStep(table.board.tasks.get(task) as Task, threadOf(table, thread), NOTHING),
      null,
    );
  });

  test('the next step after a decomposition is to approve its proposed children', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    table.report(table.claim(), DONE);
    const proposed = [31, 32] as TaskId[];
    const step = nextStep(ended(table, task), threadOf(table, thread), { proposed, wait: null });
    assert.equal(
      step,
      `2 children wait for approval; approve them with: guildhall task approve t-${task} (to approve only one: --only t-31)`,
    );
    assert.match(
      nextStep(ended(table, task), threadOf(table, thread), {
        proposed: [31 as TaskId],
        wait: null,
      }) ?? '',
      /^1 child waits for approval; approve it with: guildhall task approve t-\d+$/,
    );
  });

  test('the next step for an open pull request on a forge is to merge it and to mark it merged', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    const pr = { number: 7, url: 'https://forge.test/shop/7' };
    table.report(table.claim(), { ...DONE, result: { ...RESULT, branch: 'b', pr } });
    const step = nextStep(ended(table, task), threadOf(table, thread), NOTHING);
    assert.match(
      step ?? '',
      new RegExp(
        `merge ${pr.url}, then record the merge with: guildhall thread mark-merged th-${thread}`,
      ),
    );
  });

  test('a completed task has no next step, and one that failed can be reopened', () => {
    const table = BoardFixture.usual();
    const [done, failed] = [table.post(), table.post()];
    table.report(table.claim(), DONE);
    table.report(table.claim(), { how: 'failed', reason: 'failed', result: RESULT });
    assert.equal(nextStep(ended(table, done.task), threadOf(table, done.thread), NOTHING), null);
    assert.match(
      nextStep(ended(table, failed.task), threadOf(table, failed.thread), NOTHING) ?? '',
      new RegExp(`guildhall task reopen t-${failed.task}`),
    );
  });
});

describe('an ended task', () => {
  test('an ended task is explained by how it ended, why, and how to reopen it', () => {
    const table = BoardFixture.usual();
    const { task: id } = table.post();
    const recalled = { task: () => undefined, thread: () => undefined };
    table.do(cancel(table.board, recalled, { task: id, because: 'not wanted' }, table.now));
    const task = ended(table, id);
    assert.ok(hasEnded(task));
    const { state, claimable, reasons } = whyEnded(task, null);
    assert.deepEqual([state, claimable], ['cancelled', false]);
    assert.deepEqual(
      reasons.map(({ because, frees }) => `${because}; ${frees}`),
      [`it is cancelled: not wanted; reopen it as a new task with: guildhall task reopen t-${id}`],
    );
  });
});
