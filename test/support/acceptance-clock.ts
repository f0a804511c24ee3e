import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../src/adapters/postgres/open.ts';
import { openSqlite } from '../../src/adapters/sqlite/open.ts';
import { createClock } from '../../src/adapters/system/clock.ts';
import { type Hall, openHall } from '../../src/board/hall.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Store } from '../../src/ports/store.ts';
import type { ProvenStore } from './acceptance-stores.ts';
import { TYPE_SETTINGS } from './board-fixture.ts';
import { startHall } from './hall.ts';
import {
  type Claim,
  HallFixture,
  type ProjectFixture,
  type WorkerFixture,
} from './hall-fixture.ts';
import { createManualClock } from './manual-clock.ts';
import { withPostgres } from './postgres-part.ts';
import { tempFolder } from './temp-folder.ts';

/**
 * A hall in this process, on a real store, whose clock only the test moves. It is alone on its store, because
 * to other nodes an hour that passes at once looks like a dead leader.
 */
export interface SlowHall {
  readonly fixture: Pick<HallFixture, 'get' | 'post' | 'task' | 'taskDetail'>;
  readonly shop: ProjectFixture;
  /** Posts a task and lets a worker start it. */
  work(task: object): Promise<{ readonly worker: WorkerFixture; readonly claim: Claim }>;
  /** Lets time pass while the worker keeps sending heartbeats. */
  beatFor(worker: WorkerFixture, seconds: number): Promise<void>;
}

const TICK = 30_000;
const PATIENCE = 120_000;

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function withSlowHall(
  t: TestContext,
  store: ProvenStore['store'],
  act: (hall: SlowHall) => Promise<void>,
): Promise<void> {
  if (store === 'SQLite') {
    using folder = tempFolder();
    const path = join(folder.path, 'hall.db');
    await onStore(await openSqlite({ path, checkUpTo: 0 }), act);
    return;
  }
  await withPostgres(t, async (url) => {
    const clock = createClock();
    const opened = await openPostgres({ url, clock, random: Math.random, log: SILENT });
    await onStore(opened.store, act);
  });
}

async function onStore(store: Store, act: (hall: SlowHall) => Promise<void>): Promise<void> {
  const clock = createWatchedClock();
  const board = await openAlone(store, clock);
  try {
    await using hall = await startHall({ hall: board });
    using fixture = new HallFixture(hall);
    const shop = await fixture.project();
    await act({
      fixture,
      shop,
      async work(task) {
        const held = await shop.held(task);
        await held.worker.mustCall('start', held.claim);
        return held;
      },
      async beatFor(worker, seconds) {
        for (let left = seconds * 1_000; left > 0; left -= TICK) {
          await clock.passTick();
          await worker.heartbeat();
        }
      },
    });
  } finally {
    await board.stop();
    await store.close();
  }
}

/** A manual clock that knows when the hall has done its chores, which it does between two timers. */
function createWatchedClock() {
  const clock = createManualClock();
  let armed = 0;
  return {
    ...clock,
    after(delay: number, call: () => void) {
      if (delay === TICK) armed += 1;
      return clock.after(delay, call);
    },
    async passTick(): Promise<void> {
      const before = armed;
      clock.pass(TICK);
      const deadline = performance.now() + PATIENCE;
      while (armed === before) {
        if (performance.now() > deadline) throw new Error('the hall did not do its chores in time');
        await sleep(1);
      }
    },
  };
}

function openAlone(store: Store, clock: Clock): Promise<Hall> {
  return openHall({
    store,
    clock,
    log: SILENT,
    times: {
      lease: 360_000,
      tick: TICK,
      keepAnswers: 86_400_000,
      keepLog: 86_400_000,
      keepDecisions: 30 * 86_400_000,
      approval: 900_000,
    },
    declaration: () => ({
      projects: [],
      types: [{ name: 'dev', settings: TYPE_SETTINGS, declared: null }],
      invokers: [],
      forges: [],
      personas: [],
    }),
    broken: () => undefined,
  });
}
