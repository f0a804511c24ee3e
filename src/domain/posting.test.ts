import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import type { TaskId } from './ids.ts';

describe('posting', () => {
  test('puts each task in a thread of its own', () => {
    const table = BoardFixture.usual();
    const [a, b] = table.do(table.posting({}, {}));

    assert.equal(table.state(a?.task as TaskId), 'available');
    assert.notEqual(a?.thread, b?.thread);
  });

  test('is one event for each task, which gives its number to task and thread', () => {
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

  test('of many tasks that all wait for each other takes a moment, with and without a parent', () => {
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

  test('names every mistake of every task at once, and posts none', () => {
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

  test('takes the size from the task, else from a label, else from the project', () => {
    const table = BoardFixture.usual().project('shop', { defaultSize: 'S' });
    const sizes = [{ size: 'L' as const, labels: ['size:xs'] }, { labels: ['size:xl'] }, {}].map(
      (posting) => table.board.threads.get(table.post(posting).thread)?.size,
    );

    assert.deepEqual(sizes, ['L', 'XL', 'S']);
  });

  test('turns a task of size XL into a decomposition for the boss', () => {
    const table = BoardFixture.usual();
    const { task } = table.post({ size: 'XL' });

    assert.equal(table.board.tasks.get(task)?.skill, 'decompose');
    assert.equal(table.board.tasks.get(task)?.type, 'boss');
  });

  test('blocks a task until the thread it depends on is done', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const second = table.post({ dependsOn: [{ task: first.task }] });
    assert.equal(table.state(second.task), 'blocked');

    table.report(table.claim());

    assert.equal(table.state(second.task), 'available');
  });

  test('does not wait for what is done already', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    table.report(table.claim());

    assert.equal(
      table.state(table.post({ dependsOn: [{ thread: first.thread }] }).task),
      'available',
    );
  });

  test('keeps waiting for a thread that failed', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    const second = table.post({ dependsOn: [{ task: first.task }] });
    const result = { summary: 'no', branch: null, commit: null, pr: null, details: null };
    table.report(table.claim(), { how: 'failed', reason: 'failed', result });

    assert.equal(table.state(second.task), 'blocked');
  });

  test('takes dependencies among the tasks of one post by their names', () => {
    const table = BoardFixture.usual();
    const [, second] = table.do(table.posting({ ref: 'a' }, { dependsOn: [{ ref: 'a' }] }));

    assert.equal(table.state(second?.task as TaskId), 'blocked');
  });

  test('refuses a cycle and shows it', () => {
    const refusal = BoardFixture.usual().refused(
      BoardFixture.usual().posting(
        { ref: 'a', dependsOn: [{ ref: 'b' }] },
        { ref: 'b', dependsOn: [{ ref: 'a' }] },
      ),
    );

    assert.equal(refusal.refused, 'dependency_cycle');
    assert.match(refusal.because, /a → b → a/);
  });

  test('refuses a dependency across projects', () => {
    const table = BoardFixture.usual().project('other');
    const { task } = table.post({ project: 'other' });

    assert.equal(table.refused(table.posting({ dependsOn: [{ task }] })).refused, 'bad_dependency');
  });

  test('refuses a child that waits for its own parent', () => {
    const table = BoardFixture.usual();
    const parent = table.post();
    const child = { parent: parent.task, dependsOn: [{ thread: parent.thread }] };

    assert.equal(table.refused(table.posting(child)).refused, 'dependency_cycle');
  });

  test('refuses two tasks of one name in one post', () => {
    const table = BoardFixture.usual();
    assert.equal(table.refused(table.posting({ ref: 'a' }, { ref: 'a' })).refused, 'name_taken');
  });
});
