import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, NOBODY_WAITS } from '../../test/support/board-fixture.ts';
import { mayCallModel } from './metering.ts';
import { missingWorkers } from './recruiting.ts';
import { isRefusal } from './refusal.ts';
import { why } from './why.ts';
import { whyIdle } from './why-idle.ts';

const COMMAND = { kind: 'command', argv: ['./format'] } as const;
const WITHOUT_MODEL = { bringsModel: false };

/** A hall without an invoker, whose type dev runs a command. */
function unpaid(needsModel: boolean): BoardFixture {
  return BoardFixture.usual()
    .project('shop', { repo: 'file:/srv/shop' })
    .type('dev', { backend: COMMAND, needsModel });
}

describe('a type with needs_model: false', () => {
  test('a run of a type with needs_model: false needs no invoker and spends no credit', () => {
    const table = unpaid(false).invoker('ada', 1);
    table.post();
    const { run } = table.claim(table.worker('dev-default', WITHOUT_MODEL));
    assert.deepEqual([table.run(run)?.invoker, table.run(run)?.credits], [null, 0]);
    assert.equal(table.board.invokers.get('ada')?.reserved, 0);
  });

  test('the hall starts workers of a type with needs_model: false, and of no other, without an invoker', () => {
    const table = unpaid(false);
    table.post();
    table.post({ skill: 'review' });
    assert.deepEqual(missingWorkers(table.board, new Map(), 10), ['dev-default']);
    const needy = unpaid(true);
    needy.post();
    assert.deepEqual(missingWorkers(needy.board, new Map(), 10), []);
  });

  test('neither task nor worker of a type with needs_model: false is said to lack an invoker', () => {
    const table = unpaid(false);
    const { task } = table.post();
    const worker = table.worker('dev-default', WITHOUT_MODEL);
    const workforce = { waiting: NOBODY_WAITS, recruiting: () => null };
    const posted = table.board.tasks.get(task);
    const thread = posted && table.board.threads.get(posted.thread);
    assert.ok(posted && thread);
    const { reasons } = why(table.board, posted, thread, workforce);
    assert.deepEqual(
      reasons.map(({ rule }) => rule),
      ['no_worker'],
    );
    assert.deepEqual(whyIdle(table.board, worker, NOBODY_WAITS), []);
  });

  test('a run of a type with needs_model: false may not call a model through the hall', () => {
    const table = unpaid(false).invoker('ada', 1);
    table.post();
    const { run, fence } = table.claim(table.worker('dev-default', WITHOUT_MODEL));
    const refusal = mayCallModel(table.board, { run, fence, worker: null });
    assert.ok(isRefusal(refusal));
    assert.match(refusal.because, /its type says needs_model: false/);
  });

  test('a type that was stored before needs_model existed needs a model', () => {
    const table = unpaid(true);
    const type = table.board.types.get('dev');
    assert.ok(type);
    const { needsModel: _, ...older } = type.settings;
    table.apply({
      type: 'TypeSet',
      agentType: { ...type, settings: older as typeof type.settings },
    });
    assert.equal(table.board.types.get('dev')?.settings.needsModel, true);
  });
});
