import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { handOver } from './operator-actions.ts';
import { pause } from './pausing.ts';

describe('a claim', () => {
  test('a claim gives the oldest task of a project, with a run, a fence and a time limit', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    table.post();

    const claimed = table.claim();

    assert.equal(claimed.task, first.task);
    assert.equal(table.state(first.task), 'claimed');
    assert.equal(table.run(claimed.run)?.target, 3_600_000);
    assert.equal(table.run(claimed.run)?.limit, 7_200_000);
  });

  test('a worker that lost the response to its claim gets the same run again', () => {
    const table = BoardFixture.usual();
    table.post();
    table.post();
    const worker = table.worker();

    assert.deepEqual(table.claim(worker), table.claim(worker));
  });

  test('a claim by a worker that is already working is refused', () => {
    const table = BoardFixture.usual();
    table.post();
    const worker = table.worker();
    const { run } = table.claim(worker);
    table.apply({ type: 'RunStarted', run });

    assert.equal(table.refused(table.claiming(worker)).refused, 'worker_busy');
  });

  test('every claim has a higher fence than the one before', () => {
    const table = BoardFixture.usual();
    table.post();
    table.post();

    const first = table.claim();
    assert.ok(first.fence < table.claim().fence);
  });

  test('a claim waits while the project is at max_workers', () => {
    const table = BoardFixture.usual().project('shop', { maxWorkers: 2 });
    for (let n = 0; n < 3; n += 1) table.post();
    const first = table.claim();
    table.claim();
    const third = table.worker();

    assert.equal(table.refused(table.claiming(third)).refused, 'nothing_claimable');

    table.report(first);
    assert.ok(table.claim(third));
  });

  test('a claim waits while the instance is at its parallel limit', () => {
    const table = BoardFixture.usual().instance('dev-default', 'dev', { parallel: 1 });
    table.post();
    table.post();
    table.claim();

    assert.equal(table.refused(table.claiming(table.worker())).refused, 'instance_at_capacity');
  });

  test('a claim never gives a task of a project where the instance or the worker may not work', () => {
    const table = BoardFixture.usual()
      .project('other')
      .instance('dev-default', 'dev', { projects: ['other'] });
    table.post();
    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');

    table.instance('dev-default', 'dev');
    const narrow = table.worker('dev-default', { projects: ['other'] });
    assert.equal(table.refused(table.claiming(narrow)).refused, 'nothing_claimable');
    assert.ok(table.claim(table.worker('dev-default', { projects: ['shop'] })));
  });

  test('claims rotate between projects, however long the queue of one project is', () => {
    const table = BoardFixture.usual().project('tiny');
    for (let n = 0; n < 5; n += 1) table.post();
    const late = table.post({ project: 'tiny' });

    table.claim();
    assert.equal(table.claim().task, late.task);
  });

  test('a claim gives a task only to an instance of its type', () => {
    const table = BoardFixture.usual();
    const review = table.post({ skill: 'review' });

    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');
    assert.equal(table.claim(table.worker('reviewer-default')).task, review.task);
  });

  test('a claim gives a task that names an instance only to that instance', () => {
    const table = BoardFixture.usual().instance('dev-two', 'dev');
    const { task } = table.post({ agent: 'dev-two' });

    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');
    assert.equal(table.claim(table.worker('dev-two')).task, task);
  });

  test('a requeued task keeps its old place in the queue', () => {
    const table = BoardFixture.usual();
    const first = table.post();
    table.post();
    const { run } = table.claim();
    const state = { is: 'available' as const, since: 0 };
    table.apply({
      type: 'RunEnded',
      run,
      ending: { at: 0, how: 'lost', because: 'silent' },
      task: state,
    });

    assert.equal(table.claim().task, first.task);
  });

  test('a claim waits while the hall, the project or the instance is paused', () => {
    const table = BoardFixture.usual();
    table.post();
    const worker = table.worker();
    const refusedAfter = (kind: 'project' | 'instance', name: string) => {
      table.do(pause(table.board, { kind, name }, null, table.now));
      return table.refused(table.claiming(worker)).refused;
    };

    assert.equal(refusedAfter('project', 'shop'), 'nothing_claimable');
    assert.equal(refusedAfter('instance', 'dev-default'), 'instance_paused');
    table.do(pause(table.board, { kind: 'hall' }, 'night', table.now));
    assert.equal(table.refused(table.claiming(worker)).refused, 'hall_paused');
  });

  test('a claim gives no task of a thread that a person took over', () => {
    const table = BoardFixture.usual();
    const { thread } = table.post();
    table.do(handOver(table.board, { thread, because: null }, table.now));

    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');
  });
});

describe('the credit for a claim', () => {
  test('a worker that brings its own model needs no credit', () => {
    const table = BoardFixture.usual();
    table.post();

    const { run } = table.claim(table.worker('dev-default', { bringsModel: true }));

    assert.equal(table.run(run)?.invoker, null);
  });

  test('a claim without any invoker gets no task', () => {
    const table = BoardFixture.usual();
    table.post();
    const worker = table.worker('dev-default', { bringsModel: false });

    assert.equal(table.refused(table.claiming(worker)).refused, 'nothing_claimable');
  });

  test('a claim reserves its credit, so the weekly cap is never exceeded', () => {
    const table = BoardFixture.usual().invoker('ada', 2);
    for (let n = 0; n < 3; n += 1) table.post();
    const workers = [0, 1, 2].map(() => table.worker('dev-default', { bringsModel: false }));

    for (const worker of workers.slice(0, 2)) table.claim(worker);

    assert.equal(table.board.invokers.get('ada')?.reserved, 2);
    const third = workers[2];
    assert.ok(third);
    assert.equal(table.refused(table.claiming(third)).refused, 'nothing_claimable');
  });

  test("a credit is spent at the model's first response and returned when there was none", () => {
    const table = BoardFixture.usual().invoker('ada', 10);
    table.post();
    table.post();
    const spent = table.claim(table.worker('dev-default', { bringsModel: false }));
    const unspent = table.claim(table.worker('dev-default', { bringsModel: false }));
    const usage = { inputTokens: 1, outputTokens: 1, turns: 1, costUsd: 0 };

    table.apply({ type: 'UsageRecorded', run: spent.run, usage });
    table.report(spent);
    table.report(unspent);

    assert.deepEqual(pick(table), { used: 1, reserved: 0 });
  });

  test('the invoker that has spent least pays for a claim', () => {
    const table = BoardFixture.usual().invoker('ada', 10).invoker('bob', 10);
    table.post();
    table.post();

    const payers = [0, 1].map(() => {
      const { run } = table.claim(table.worker('dev-default', { bringsModel: false }));
      return table.run(run)?.invoker;
    });

    assert.deepEqual(payers, ['ada', 'bob']);
  });
});

function pick(table: BoardFixture) {
  const ada = table.board.invokers.get('ada');
  return { used: ada?.used, reserved: ada?.reserved };
}
