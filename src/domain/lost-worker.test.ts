import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { deregister, loseWorker, timeOutRun } from './lost-worker.ts';

describe('a lost worker', () => {
  test('the task of a lost worker is requeued', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const worker = table.worker();
    table.claim(worker);
    table.do(loseWorker(table.board, worker.id, 'silent', table.now));

    assert.equal(table.state(task), 'available');
    assert.equal(table.workerOf(worker.id), undefined);
  });

  test('a task that loses its fourth worker fails with the reason', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    for (let n = 0; n < 4; n += 1) {
      const worker = table.worker();
      table.claim(worker);
      table.do(loseWorker(table.board, worker.id, 'silent', table.now));
    }

    const state = table.closed.get(task)?.state;
    assert.equal(state?.is === 'failed' && state.reason, 'crashed');
  });

  test('a lost worker without a task is only deregistered', () => {
    const table = BoardFixture.usual();
    const worker = table.worker();
    table.do(loseWorker(table.board, worker.id, 'silent', table.now));

    assert.equal(table.board.workers.size, 0);
    assert.equal(
      table.refused(loseWorker(table.board, worker.id, '', table.now)).refused,
      'unknown_worker',
    );
  });
});

test('a worker that leaves by itself returns its task without counting as a crash', () => {
  const table = BoardFixture.usual();
  const { task } = table.post();
  const worker = table.worker();
  table.claim(worker);
  table.do(deregister(table.board, worker.id, 'done for today', table.now));

  assert.equal(table.board.tasks.get(task)?.crashes, 0);
  assert.equal(table.state(task), 'available');
});

test('a run that takes longer than its size allows ends as a timeout and is not retried', () => {
  const table = BoardFixture.usual();
  const { task } = table.post();
  const { run } = table.claim();
  table.do(timeOutRun(table.board, run, table.now));

  const state = table.closed.get(task)?.state;
  assert.equal(state?.is === 'failed' && state.reason, 'timeout');
});
