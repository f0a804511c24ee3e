import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createMemoryStore } from '../adapters/memory/store.ts';
import { Board } from '../domain/board.ts';
import { NO_HEAD } from '../ports/store.ts';
import { Liveness } from './liveness.ts';
import { runMaintenance } from './maintenance.ts';
import { Writer } from './writer.ts';

const DAY = 86_400_000;
const times = {
  lease: 360_000,
  tick: 60_000,
  keepAnswers: DAY,
  keepLog: 7 * DAY,
  keepDecisions: 30 * DAY,
  approval: 900_000,
};
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('a clock jump does not make the hall forget an idempotent response early', async () => {
  const clock = createManualClock();
  const store = createMemoryStore();
  const board = new Board();
  const writer = new Writer({
    ...{ store, clock, board, head: NO_HEAD, epoch: 0 },
    isAssured: () => true,
    savedHeartbeats: () => [],
    committed: () => undefined,
    lost: () => undefined,
  });
  const liveness = new Liveness({ clock, board, tick: times.tick });
  const house = runMaintenance({ writer, liveness, store, clock, log: quiet, times });
  const once = { key: 'k', request: 'r', render: () => ({ status: 200, body: '' }) };
  const meta = { actor: 'operator:ada', cause: 'test' };
  clock.jump(-30 * DAY);
  await writer.change({ meta, idempotency: once, decide: () => ({ answer: true, events: [] }) });
  const isKept = async () => (await store.recall({ responses: ['k'] })).responses.has('k');

  clock.jump(7 * DAY);
  await pass(30 * 60_000);
  assert.equal(await isKept(), true);
  await pass(DAY);
  assert.equal(await isKept(), false);
  house.stop();

  async function pass(duration: number): Promise<void> {
    for (let passed = 0; passed < duration; passed += times.tick) {
      clock.pass(times.tick);
      for (let n = 0; n < 50; n += 1) await undefined;
    }
  }
});
