import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, NOBODY_WAITS } from '../../test/support/board-fixture.ts';
import { tick } from './due-changes.ts';

function fleet(): BoardFixture {
  return BoardFixture.usual()
    .instance('reviewer-security', 'reviewer', { matchLabels: ['security'] })
    .instance('reviewer-web', 'reviewer', { matchLabels: ['security', 'web'] });
}

const review = { skill: 'review' };

describe('labels decide who takes a task', () => {
  test('a thread without labels goes to the instance without labels', () => {
    const table = fleet();
    const { task } = table.post(review);

    assert.equal(
      table.refused(table.claiming(table.worker('reviewer-security'))).refused,
      'nothing_claimable',
    );
    assert.equal(table.claim(table.worker('reviewer-default')).task, task);
  });

  test('a labelled thread waits for its specialists even if others are idle', () => {
    const table = fleet();
    const { task } = table.post({ ...review, labels: ['security'] });

    assert.equal(
      table.refused(table.claiming(table.worker('reviewer-default'))).refused,
      'nothing_claimable',
    );
    assert.equal(table.claim(table.worker('reviewer-security')).task, task);
  });

  test('the instance that matches more labels comes first, but only while it is free', () => {
    const table = fleet();
    const { task } = table.post({ ...review, labels: ['security', 'web'] });
    const worker = table.worker('reviewer-security');

    table.waiting = { waits: (instance) => instance === 'reviewer-web', includes: () => true };
    assert.equal(table.refused(table.claiming(worker)).refused, 'nothing_claimable');

    table.waiting = NOBODY_WAITS;
    assert.equal(table.claim(worker).task, task);
  });

  test('labels that start with hall: never count', () => {
    const table = fleet().instance('odd', 'reviewer', { matchLabels: ['hall:queued'] });
    const { task } = table.post({ ...review, labels: ['hall:queued'] });

    assert.equal(table.claim(table.worker('reviewer-default')).task, task);
  });

  test('where no instance matches and all have labels, any instance of the type may claim, with a warning', () => {
    const table = fleet().instance('reviewer-default', 'reviewer', { enabled: false });
    const { task } = table.post(review);

    assert.equal(table.claim(table.worker('reviewer-web')).task, task);
    assert.equal(table.events.at(-1)?.type, 'LabelsUnmatched');
  });

  test('after the label_wait of its type, instances without labels may claim a task', () => {
    const table = fleet().type('reviewer', { labelWait: 60_000 });
    const { task } = table.post({ ...review, labels: ['security'] });
    table.at += 60_000;
    table.do(tick(table.board, table.now));

    assert.equal(table.claim(table.worker('reviewer-default')).task, task);
  });

  test('an instance that is not allowed in the project is not waited for', () => {
    const table = fleet();
    table.instance('reviewer-security', 'reviewer', { matchLabels: ['security'], projects: [] });
    table.instance('reviewer-web', 'reviewer', { matchLabels: ['security'], projects: [] });
    const { task } = table.post({ ...review, labels: ['security'] });

    assert.equal(table.claim(table.worker('reviewer-default')).task, task);
  });

  test('waiting tasks are rerouted when an instance gets a new label', () => {
    const table = BoardFixture.usual();
    const { task } = table.post({ ...review, labels: ['db'] });
    table.instance('reviewer-db', 'reviewer', { matchLabels: ['db'] });

    assert.equal(
      table.refused(table.claiming(table.worker('reviewer-default'))).refused,
      'nothing_claimable',
    );
    assert.equal(table.claim(table.worker('reviewer-db')).task, task);
  });

  test('labels decide which instance claims a task, never the order of tasks', () => {
    const table = fleet();
    const plain = table.post({ ...review, labels: ['web'] });
    table.post({ ...review, labels: ['security', 'web'] });

    assert.equal(table.claim(table.worker('reviewer-web')).task, plain.task);
  });
});

describe('tasks of one thread', () => {
  test('two writing tasks of one thread never run at once, and the earlier one runs first', () => {
    const table = BoardFixture.usual();
    const { task, thread } = table.post();
    const fix = table.board.tasks.get(task);
    assert.ok(fix);
    const next = {
      ...fix,
      id: (table.board.seq + 1) as typeof task,
      skill: 'fix-ci',
      title: '',
      body: '',
    };
    table.apply({ type: 'TaskPosted', task: next, opens: null });

    const first = table.claim();
    assert.equal(first.task, task);
    assert.equal(table.refused(table.claiming(table.worker())).refused, 'nothing_claimable');
    table.report(first);
    assert.equal(table.claim().task, next.id);
    assert.equal(table.board.runsIn.get(thread)?.length, 1);
  });

  test('a reading and a writing task of one thread run at once when their agents differ', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const implement = table.board.tasks.get(task);
    assert.ok(implement);
    const reads = {
      ...implement,
      skill: 'review',
      type: 'reviewer',
      agent: 'reviewer',
      title: '',
      body: '',
    };
    table.apply({
      type: 'TaskPosted',
      task: { ...reads, id: (table.board.seq + 1) as typeof task },
      opens: null,
    });

    table.claim();
    assert.ok(table.claim(table.worker('reviewer-default')));
  });
});
