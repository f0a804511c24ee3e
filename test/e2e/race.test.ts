import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HallProcess } from '../support/hall-process.ts';
import { audit, wholeLog } from '../support/history-check.ts';
import { withPostgres } from '../support/postgres-part.ts';
import { postMany, race } from '../support/racers.ts';
import { sizeInTier } from '../support/tier.ts';

const PROJECTS = Array.from({ length: 20 }, (_, n) => `p${n + 1}`);
const THREE_EACH = Object.fromEntries(PROJECTS.map((name) => [name, 3]));
const TASKS = sizeInTier({ test: 1_000, full: 10_000 });
const WORKERS = 64;

async function raceOver(hall: HallProcess): Promise<void> {
  const caller = hall.caller();
  const ids = await postMany(caller, PROJECTS, TASKS);
  let left = ids.length;
  const watch = setInterval(async () => {
    const answer = await caller.get('/v1/board').catch(() => undefined);
    left = answer?.body.totals?.open ?? left;
  }, 250);
  const racers = await race([caller], WORKERS, () => left === 0);
  clearInterval(watch);

  const done = racers.flatMap((racer) => racer.done);
  assert.equal(done.length, TASKS, 'each task was done');
  assert.equal(new Set(done).size, TASKS, 'and once');
  const found = audit(await wholeLog(caller));
  assert.equal(found.completed.size, TASKS);
  for (const project of PROJECTS) {
    const most = found.mostAtOnce.get(project) ?? 0;
    assert.ok(most <= 3, `${project} ran ${most} at once`);
  }
  assert.ok(racers.filter((racer) => racer.done.length > 0).length > 20, 'many took part');
  caller.close();
}

describe(`64 workers race over ${TASKS} tasks in 20 projects of capacity 3`, () => {
  test('GH-022 GH-023 GH-050: racing workers claim no task twice and exceed no project capacity, on SQLite', async () => {
    await using hall = await HallProcess.start({ projects: THREE_EACH });
    await raceOver(hall);
  });

  test('GH-022 GH-023 GH-050: racing workers claim no task twice and exceed no project capacity, on PostgreSQL', async (t) => {
    await withPostgres(t, async (store) => {
      await using hall = await HallProcess.start({ projects: THREE_EACH, store });
      await raceOver(hall);
    });
  });
});
