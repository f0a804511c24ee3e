import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { WorkerId } from '../domain/ids.ts';
import { Liveness } from './liveness.ts';

const TICK = 1_000;
const LEASE = 6_000;

let clock: ReturnType<typeof createManualClock>;
let liveness: Liveness;
let worker: WorkerId;
let table: BoardFixture;

beforeEach(() => {
  clock = createManualClock();
  table = BoardFixture.usual();
  worker = table.worker().id;
  liveness = new Liveness({ clock, board: table.board, tick: TICK });
  liveness.heartbeat(worker);
});

/** The hall is awake: it looks around at every tick. */
function awake(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += TICK) {
    clock.pass(TICK);
    liveness.look(() => true);
  }
}

describe('a worker', () => {
  test('a worker without a heartbeat for longer than the lease is silent', () => {
    awake(LEASE);
    assert.equal(liveness.isSilent(worker, LEASE), false);
    awake(TICK);
    assert.equal(liveness.isSilent(worker, LEASE), true);
  });

  test('a worker that sends heartbeats is never silent', () => {
    for (let n = 0; n < 10; n += 1) {
      awake(LEASE / 2);
      liveness.heartbeat(worker);
    }
    assert.equal(liveness.isSilent(worker, LEASE), false);
  });

  test('a worker is not silent because the hall was stopped for an hour', () => {
    awake(LEASE / 2);
    clock.pass(3_600_000);
    liveness.look(() => true);
    assert.equal(liveness.isSilent(worker, LEASE), false);
  });

  test('a worker is not silent because the wall clock jumped', () => {
    clock.jump(7 * 86_400_000);
    assert.equal(liveness.isSilent(worker, LEASE), false);
    clock.jump(-37 * 86_400_000);
    assert.equal(liveness.isSilent(worker, LEASE), false);
    awake(LEASE + TICK);
    assert.equal(liveness.isSilent(worker, LEASE), true);
  });

  test('a worker has a whole lease after a restart of the hall, whatever was stored', () => {
    const restarted = new Liveness({ clock, board: table.board, tick: TICK });
    restarted.remember({ worker, lastSeen: clock.now() - 3_600_000, worked: 0 });
    assert.equal(restarted.isSilent(worker, LEASE), false);
    assert.equal(restarted.lastSeen(worker), clock.now() - 3_600_000);
  });

  test('the lease of a worker without any heartbeat begins at the first check', () => {
    const other = table.worker().id;
    assert.equal(liveness.isSilent(other, LEASE), false);
    awake(LEASE + TICK);
    assert.equal(liveness.isSilent(other, LEASE), true);
  });
});

describe('the working time of a run', () => {
  test('the working time of a run grows while it works and survives a restart of the hall', () => {
    table.post();
    const { run, ...claimed } = table.claim(table.workerOf(worker));
    awake(TICK);
    assert.equal(liveness.worked(run), 0, 'it may have begun just before the first look');
    awake(5 * TICK);
    assert.equal(liveness.worked(run), 5 * TICK);
    liveness.heartbeat(worker);
    const [heartbeat] = liveness.takeUnsaved();
    assert.ok(heartbeat && claimed);

    const restarted = new Liveness({ clock, board: table.board, tick: TICK });
    restarted.remember(heartbeat);
    assert.equal(restarted.worked(run), 5 * TICK);
  });

  test('the working time of a run does not grow while it waits for a person', () => {
    table.post();
    const { run } = table.claim(table.workerOf(worker));
    clock.pass(TICK);
    liveness.look(() => false);
    assert.equal(liveness.worked(run), 0);
  });
});
