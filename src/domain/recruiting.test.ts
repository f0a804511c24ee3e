import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { pause } from './pausing.ts';
import { missingWorkers } from './recruiting.ts';

const LOCAL = { repo: 'file:/srv/shop' };
const NOBODY = new Map<string, number>();

describe('the recruiter', () => {
  test('the recruiter starts one worker for each task that could start', () => {
    const table = paid();
    assert.deepEqual(missingWorkers(table.board, NOBODY, 10), []);
    table.post();
    table.post({ skill: 'review' });
    assert.deepEqual(missingWorkers(table.board, NOBODY, 10).toSorted(), [
      'dev-default',
      'reviewer-default',
    ]);
  });

  test('the recruiter starts no more workers than the project has slots and max_recruits allows', () => {
    const table = paid().project('shop', { ...LOCAL, maxWorkers: 2 });
    for (let n = 0; n < 5; n += 1) table.post();
    assert.equal(missingWorkers(table.board, NOBODY, 10).length, 2);
    assert.equal(missingWorkers(table.board, NOBODY, 1).length, 1);
    table.claim();
    assert.equal(missingWorkers(table.board, NOBODY, 10).length, 1);
  });

  test('the recruiter counts workers that wait or are starting', () => {
    const table = paid();
    table.post();
    table.post();
    assert.deepEqual(missingWorkers(table.board, new Map([['dev-default', 1]]), 10), [
      'dev-default',
    ]);
    assert.deepEqual(missingWorkers(table.board, new Map([['dev-default', 2]]), 10), []);
  });

  test('the recruiter starts no worker without an invoker or during a pause', () => {
    const unpaid = BoardFixture.usual().project('shop', LOCAL);
    unpaid.post();
    assert.deepEqual(missingWorkers(unpaid.board, NOBODY, 10), []);
    for (const what of [
      { kind: 'hall' },
      { kind: 'project', name: 'shop' },
      { kind: 'instance', name: 'dev-default' },
      { kind: 'invoker', name: 'ada' },
    ] as const) {
      const table = paid();
      table.post();
      table.do(pause(table.board, what, null, table.now));
      assert.deepEqual(missingWorkers(table.board, NOBODY, 10), [], what.kind);
    }
  });

  test('the recruiter starts workers of instances whose labels match, up to their parallel limit', () => {
    const table = paid().instance('dev-css', 'dev', { matchLabels: ['css'], parallel: 1 });
    table.post({ labels: ['css'] });
    table.post({ labels: ['css'] });
    table.post();
    assert.deepEqual(missingWorkers(table.board, NOBODY, 10).toSorted(), [
      'dev-css',
      'dev-default',
    ]);
  });

  test('the recruiter starts no worker for a project without a reachable repository', () => {
    for (const repo of [null, 'github:acme/shop']) {
      const table = paid().project('shop', { repo });
      table.post();
      assert.deepEqual(missingWorkers(table.board, NOBODY, 10), []);
    }
  });

  test('the recruiter starts no worker for blocked, deferred or handed-over work', () => {
    const table = paid();
    const first = table.post();
    table.post({ dependsOn: [{ task: first.task }] });
    assert.equal(missingWorkers(table.board, NOBODY, 10).length, 1);
  });
});

function paid(): BoardFixture {
  return BoardFixture.usual().project('shop', LOCAL).invoker('ada', 100);
}
