import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { fenceFor } from './ids.ts';
import { eraAfter, restoreBoard } from './restoring.ts';

const HOUR = 3_600_000;
const now = Date.parse('2026-03-01T12:30:00Z');

describe('the era after a restore', () => {
  it('the era after a restore is above every known era', () => {
    assert.equal(eraAfter([0, 999_999], now), 1_000_000);
  });

  it('the era after a restore differs from that of a restore of the same backup an hour earlier', () => {
    assert.ok(eraAfter([0], now) > eraAfter([0], now - HOUR));
  });

  it('eras leave fences exact integers until the year 2089', () => {
    const era = eraAfter([0], Date.parse('2089-01-01T00:00:00Z'));
    assert.ok(era < 2 ** 20);
    assert.ok(Number.isSafeInteger(fenceFor(era, 2 ** 32 - 1)));
  });
});

describe('a restore', () => {
  it('a restore dismisses every worker, requeues their tasks and starts a new era of fences', () => {
    const table = BoardFixture.usual();
    const { task } = table.post();
    const before = table.claim();
    table.worker('reviewer-default');
    table.do(restoreBoard(table.board, 7, table.now));

    assert.equal(table.board.workers.size, 0);
    assert.equal(table.board.runs.size, 0);
    assert.equal(table.state(task), 'available');
    assert.equal(table.board.tasks.get(task)?.crashes, 0, 'nobody is blamed');
    assert.ok(table.claim().fence > before.fence + 2 ** 32);
  });
});
