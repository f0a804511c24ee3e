import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import type { Claimed } from './claiming.ts';
import type { Fence } from './ids.ts';
import { costUsd, mayCallModel, NO_TOKENS, recordCall } from './metering.ts';
import { isRefusal } from './refusal.ts';

const MILLION = { ...NO_TOKENS, input: 1_000_000 };

describe('the cost of a call', () => {
  test('the cost of a call follows the input and output prices of its model', () => {
    assert.equal(costUsd('claude-sonnet-4-6', MILLION), 3);
    assert.equal(costUsd('claude-opus-4-7', { ...NO_TOKENS, output: 1_000_000 }), 25);
    assert.equal(costUsd('claude-opus-4-1-20250805', MILLION), 15);
    assert.equal(costUsd('claude-haiku-4-5', MILLION), 1);
  });

  test('cache reads cost a tenth of the input price, and cache writes cost more', () => {
    const model = 'claude-sonnet-4-6';
    assert.equal(costUsd(model, { ...NO_TOKENS, cacheRead: 1_000_000 }).toFixed(6), '0.300000');
    assert.equal(costUsd(model, { ...NO_TOKENS, cacheWrite: 1_000_000 }), 3.75);
    assert.equal(costUsd(model, { ...NO_TOKENS, cacheWriteLong: 1_000_000 }), 6);
  });

  test('a call to an unknown model costs the highest price, so its budget is never reached too late', () => {
    const known = ['claude-opus-4-1', 'claude-sonnet-4-6', 'claude-haiku-4-5'];
    for (const model of known) {
      assert.ok(costUsd('somebody-elses-model', MILLION) >= costUsd(model, MILLION));
    }
  });
});

describe('a recorded call', () => {
  test('a recorded call adds to the usage of its run, and the first one spends the credit', () => {
    const { table, claimed, lease } = paid();
    const call = { model: 'claude-sonnet-4-6', tokens: MILLION, isFirst: true };
    table.do(recordCall(table.board, lease, call));
    table.do(recordCall(table.board, lease, { ...call, isFirst: false }));

    const { usage, committed } = table.run(claimed.run) ?? assert.fail('the run is gone');
    assert.deepEqual(usage, { inputTokens: 2_000_000, outputTokens: 0, turns: 1, costUsd: 6 });
    assert.equal(committed, true);
    const { used, reserved } = table.board.invokers.get('ada') ?? {};
    assert.deepEqual({ used, reserved }, { used: 1, reserved: 0 });
  });

  test('a recorded call with an outdated fence changes nothing', () => {
    const { table, lease } = paid();
    const old = { ...lease, fence: (lease.fence - 1) as Fence };
    const call = { model: 'm', tokens: MILLION, isFirst: true };
    assert.equal(table.refused(recordCall(table.board, old, call)).refused, 'stale_fence');
  });
});

describe('the model calls of a run', () => {
  test('a run may call its model until it reaches the budget of its type', () => {
    const { table, lease } = paid({ budgetUsd: 6 });
    const call = { model: 'claude-sonnet-4-6', tokens: MILLION, isFirst: true };
    table.do(recordCall(table.board, lease, call));
    assert.ok(!isRefusal(mayCallModel(table.board, lease)));
    table.do(recordCall(table.board, lease, call));
    const refusal = mayCallModel(table.board, lease);
    assert.ok(isRefusal(refusal));
    assert.equal(refusal.refused, 'over_budget');
    assert.match(refusal.because, /has cost \$6\.00; its budget is \$6\.00/);
  });

  test('a project can lower the budget of a run but not raise it', () => {
    const { table, lease } = paid({ budgetUsd: 6 });
    table.do(
      recordCall(table.board, lease, {
        model: 'claude-sonnet-4-6',
        tokens: MILLION,
        isFirst: true,
      }),
    );
    table.project('shop', { budgetUsd: 2 });
    assert.ok(isRefusal(mayCallModel(table.board, lease)));
    table.project('shop', { budgetUsd: 100 });
    assert.ok(!isRefusal(mayCallModel(table.board, lease)));
    table.type('dev', { budgetUsd: 3 });
    assert.ok(isRefusal(mayCallModel(table.board, lease)));
  });

  test('the default budget of a run is five dollars', () => {
    const { table, lease } = paid();
    const spend = (isFirst: boolean) =>
      recordCall(table.board, lease, { model: 'claude-sonnet-4-6', tokens: MILLION, isFirst });
    table.do(spend(true));
    assert.ok(!isRefusal(mayCallModel(table.board, lease)));
    table.do(spend(false));
    assert.ok(isRefusal(mayCallModel(table.board, lease)));
  });

  test('a run whose worker brings its own model may not call a model through the hall', () => {
    const table = BoardFixture.usual();
    table.post();
    const refusal = mayCallModel(table.board, leaseOf(table.claim()));
    assert.ok(isRefusal(refusal));
    assert.equal(refusal.refused, 'no_invoker');
  });
});

function paid(type: { readonly budgetUsd?: number } = {}) {
  const table = BoardFixture.usual().type('dev', type).invoker('ada', 5);
  table.post();
  const claimed = table.claim(table.worker('dev-default', { bringsModel: false }));
  return { table, claimed, lease: leaseOf(claimed) };
}

function leaseOf({ run, fence }: Claimed) {
  return { run, fence, worker: null };
}
