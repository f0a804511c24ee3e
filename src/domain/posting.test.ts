import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import type { TaskId } from './ids.ts';

describe('posting', () => {
  test('posting puts each task in a thread of its own', () => {
    const table = BoardFixture.usual();
    const [a, b] = table.do(table.posting({}, {}));

    assert.equal(table.state(a?.task as TaskId), 'available');
    assert.notEqual(a?.thread, b?.thread);
  });

  test('posting writes one event for each task, whose number becomes the id of task and thread', () => {
    const table = BoardFixture.usual();
    const before = table.board.seq;
    const posted = table.do(table.posting({ ref: 'a' }, { dependsOn: [{ ref: 'a' }] }));

    assert.deepEqual(posted, [
      { task: before + 1, thread: before + 1 },
      { task: before + 2, thread: before + 2 },
    ]);
    assert.equal(table.board.seq, before + 2);
    const [first, second] = posted.map(({ thread }) => table.board.threads.get(thread));
    assert.deepEqual([first?.tasks, first?.blockedBy], [[before + 1], []]);
    assert.deepEqual([second?.tasks, second?.blockedBy], [[before + 2], [before + 1]]);
  });

  test('posting many tasks that all depend on each other is fast, with and without a parent', () => {
    const table = BoardFixture.usual();
    const above = Array.from({ length: 16 }, () => table.post().task);
    const chained = Array.from({ length: 400 }, (_, n) => ({
      ref: `r${n}`,
      parent: above[n % 16] as TaskId,
      dependsOn: Array.from({ length: Math.min(n, 50) }, (__, k) => ({ ref: `r${n - k - 1}` })),
    }));
    assert.equal(table.do(table.posting(...chained)).length, 400);
    const alone = chained.map(({ ref, dependsOn }) => ({ ref, dependsOn }));
    assert.equal(table.do(table.posting(...alone.toReversed())).length, 400);
  });

  test('posting with mistakes lists all of them at once and posts no task', () => {
    const table = BoardFixture.usual();
    const refusal = table.refused(
      table.posting(
        { project: 'none' },
        { agent: 'nobody' },
        { dependsOn: [{ task: 99 as TaskId }] },
      ),
    );

    assert.deepEqual(
      refusal.mistakes?.map(({ path }) => path),
      ['[0].project', '[1].agent', '[2].depends_on[0]'],
    );
    assert.equal(table.board.tasks.size, 0);
  });

  test('the size of a posted task comes from the task, else from a label, else from the project', () => {
    const table = BoardFixture.usual().project('shop', { defaultSize: 'S' });
    const sizes = [{ size: 'L' as const, labels: ['size:xs'] }, { labels: ['size:xl'] }, {}].map(
      (posting) => table.board.threads.get(table.post(posting).thread)?.size,
    );

    assert.deepEqual(sizes, ['L', 'XL', 'S']);
  });

  test('a posted task of size XL becomes a decomposition for the boss', () => {
    const table = BoardFixture.usual();
    const { task } = table.post({ size: 'XL' });

    assert.equal(table.board.tasks.get(task)?.skill, 'decompose');
    assert.equal(table.board.tasks.get(task)?.type, 'boss');
  });

  test('a posted task is blocked until the thread it depends on is done', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const second = table.post({ dependsOn: [{ task: first.task }] });
    assert.equal(table.state(second.task), 'blocked');

    table.report(table.claim());

    assert.equal(table.state(second.task), 'available');
  });

  test('a posted task does not wait for a thread that is already done', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    table.report(table.claim());

    assert.equal(
      table.state(table.post({ dependsOn: [{ thread: first.thread }] }).task),
      'available',
    );
  });

  test('a task keeps waiting for a dependency that failed', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const second = table.post({ dependsOn: [{ task: first.task }] });
    const result = { summary: 'no', branch: null, commit: null, pr: null, details: null };
    table.report(table.claim(), { how: 'failed', reason: 'failed', result });

    assert.equal(table.state(second.task), 'blocked');
  });

  test('tasks of one post can depend on each other by name', () => {
    const table = BoardFixture.usual();
    const [, second] = table.do(table.posting({ ref: 'a' }, { dependsOn: [{ ref: 'a' }] }));

    assert.equal(table.state(second?.task as TaskId), 'blocked');
  });

  test('posting a cycle of dependencies is refused, and the refusal shows the cycle', () => {
    const refusal = BoardFixture.usual().refused(
      BoardFixture.usual().posting(
        { ref: 'a', dependsOn: [{ ref: 'b' }] },
        { ref: 'b', dependsOn: [{ ref: 'a' }] },
      ),
    );

    assert.equal(refusal.refused, 'dependency_cycle');
    assert.match(refusal.because, /a → b → a/);
  });

  test('posting a dependency on another project is refused', () => {
    const table = BoardFixture.usual().project('other');
    const { task } = table.post({ project: 'other' });

    assert.equal(table.refused(table.posting({ dependsOn: [{ task }] })).refused, 'bad_dependency');
  });

  test('posting a child that waits for its own parent is refused', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const child = { parent: parent.task, dependsOn: [{ thread: parent.thread }] };

    assert.equal(table.refused(table.posting(child)).refused, 'dependency_cycle');
  });

  test('posting two tasks with the same name is refused', () => {
    const table = BoardFixture.usual();
    assert.equal(table.refused(table.posting({ ref: 'a' }, { ref: 'a' })).refused, 'name_taken');
  });
});
