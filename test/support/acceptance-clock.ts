import type { TestContext } from 'node:test';
import { type Claim, type OwnProject, Scene, type Worker } from './acceptance-scene.ts';
import type { ProvenStore } from './acceptance-stores.ts';
import { createClockByHand } from './by-hand.ts';
import { startHall } from './hall.ts';
import { withPostgres } from './postgres-part.ts';

/** A hall in this process whose time passes only when the test says so. */
export interface SlowHall {
  readonly scene: Pick<Scene, 'get' | 'post' | 'task' | 'whole' | 'project' | 'worker'>;
  readonly shop: OwnProject;
  /** Posts a task and has a worker begin it. */
  work(task: object): Promise<{ readonly worker: Worker; readonly claim: Claim }>;
  /** Lets time pass while the worker goes on showing that it lives. */
  beatFor(worker: Worker, seconds: number): Promise<void>;
}

const TICK_SECONDS = 30;

export async function withSlowHall(
  t: TestContext,
  store: ProvenStore['store'],
  act: (hall: SlowHall) => Promise<void>,
): Promise<void> {
  if (store === 'SQLite') await onSlowHall('sqlite', act);
  else await withPostgres(t, (postgres) => onSlowHall({ postgres }, act));
}

async function onSlowHall(
  store: 'sqlite' | { readonly postgres: string },
  act: (hall: SlowHall) => Promise<void>,
): Promise<void> {
  const clock = createClockByHand();
  await using hall = await startHall({ store, clock, tickSeconds: TICK_SECONDS });
  using scene = new Scene(hall);
  const shop = await scene.project();
  await act({
    scene,
    shop,
    async work(task) {
      const held = await shop.held(task);
      await held.worker.tell('start', held.claim);
      return held;
    },
    async beatFor(worker, seconds) {
      for (let left = seconds; left > 0; left -= TICK_SECONDS) {
        clock.pass(TICK_SECONDS * 1_000);
        // What the hall does at a tick is behind it in the queue by the third answer.
        for (let beats = 0; beats < 3; beats += 1) await worker.beat();
      }
    },
  });
}
