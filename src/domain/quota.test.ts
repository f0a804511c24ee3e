import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { tick } from './due-changes.ts';
import { windowAt, windowStart } from './quota.ts';

const DAY = 86_400_000;

describe('a weekly window', () => {
  test('a weekly window opens on Monday at midnight UTC', () => {
    const monday = new Date('2026-11-16T00:00:00Z').getTime();

    assert.equal(windowAt(monday), windowAt(monday - 1) + 1);
    assert.equal(windowStart(windowAt(monday)), monday);
  });

  test('every instant is in exactly one weekly window, over twenty years', () => {
    const start = new Date('2020-01-01').getTime();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 * 366 * DAY }), (offset) => {
        const window = windowAt(start + offset);
        return windowStart(window) <= start + offset && start + offset < windowStart(window + 1);
      }),
    );
  });

  test('a weekly window opens once, however the clock jumps', () => {
    const table = BoardFixture.usual().invoker('ada', 5);
    const opened = () => table.events.filter(({ type }) => type === 'QuotaWindowOpened').length;
    for (const at of [100 * DAY, 107 * DAY, 77 * DAY, 107 * DAY]) {
      table.at = at;
      table.do(tick(table.board, table.now));
    }

    assert.equal(opened(), 2);
  });

  test('a new weekly window resets spent credits but not reserved ones', () => {
    const table = BoardFixture.usual().invoker('ada', 5);
    table.post();
    table.post();
    const usage = { inputTokens: 1, outputTokens: 1, turns: 1, costUsd: 0 };
    const spent = table.claim(table.worker('dev-default', { bringsModel: false }));
    table.claim(table.worker('dev-default', { bringsModel: false }));
    table.apply({ type: 'UsageRecorded', run: spent.run, usage });
    table.at = 100 * DAY;
    table.do(tick(table.board, table.now));

    const { used, reserved } = table.board.invokers.get('ada') ?? {};
    assert.deepEqual({ used, reserved }, { used: 0, reserved: 1 });
  });
});
