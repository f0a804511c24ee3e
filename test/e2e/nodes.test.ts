import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from '../support/caller.ts';
import { searched, until } from '../support/hall-fixture.ts';
import { HallProcess } from '../support/hall-process.ts';
import { audit, wholeLog } from '../support/history-check.ts';
import { withPostgres } from '../support/postgres-part.ts';
import { postMany, race } from '../support/racers.ts';
import { sizeInTier, testIn } from '../support/tier.ts';

const PROJECTS = Array.from({ length: 20 }, (_, n) => `p${n + 1}`);
const THREE_EACH = Object.fromEntries(PROJECTS.map((name) => [name, 3]));
const TASKS = sizeInTier({ test: 2_500, full: 10_000 });
const WORKERS = 64;

/** Two nodes that know each other only through their database. */
async function twoNodes(store: string) {
  const asked = { projects: THREE_EACH, store, hall: { auth: { mode: 'none' } } };
  const first = await HallProcess.start(asked);
  const second = await HallProcess.start(asked);
  return { first, second };
}

/** The node that says it leads; during a change of leader there may be none for a moment. */
async function leaderOf(halls: readonly HallProcess[]): Promise<HallProcess> {
  return until('one of them leads', async () => {
    for (const hall of halls) {
      const { body } = await new Caller(hall.url, null).get('/v1/health');
      const named = body.components.find((each: { name: string }) => each.name === 'leadership');
      if (/^this node is the leader/.test(named?.says ?? '')) return hall;
    }
    return false;
  });
}

async function isReady({ url }: HallProcess): Promise<void> {
  await until(`${url} is ready`, async () => {
    return (await new Caller(url, null).get('/readyz')).status === 200;
  });
}

async function raceThrough(
  halls: readonly HallProcess[],
  disturb: (leader: HallProcess) => Promise<void>,
): Promise<void> {
  const callers = halls.map((hall) => new Caller(hall.url, null));
  await postMany(callers[0] as Caller, PROJECTS, TASKS);
  let left = TASKS;
  const watch = setInterval(async () => {
    for (const caller of callers) {
      const answer = await caller.get('/v1/board').catch(() => undefined);
      if (answer?.status === 200) left = Math.min(left, answer.body.totals.open);
    }
  }, 250);
  const racing = race(callers, WORKERS, () => left === 0);
  await until('a fifth is done', () => left <= TASKS * 0.8);
  await disturb(await leaderOf(halls));
  const racers = await racing;
  clearInterval(watch);

  const alive = await firstAlive(callers);
  const found = audit(await wholeLog(alive));
  const done = racers.flatMap((racer) => racer.done);
  assert.equal(found.completed.size, TASKS, 'each task was done');
  assert.equal(new Set(done).size, done.length, 'nobody was told twice');
  for (const id of done) {
    assert.ok(found.completed.has(id), `${id} was acknowledged and is there`);
  }
  for (const project of PROJECTS) assert.ok((found.mostAtOnce.get(project) ?? 0) <= 3, project);
  await searched(alive);
  assert.equal(await countFound(alive, 'task'), TASKS, 'a search finds each task');
  for (const caller of callers) caller.close();
}

async function countFound(caller: Caller, text: string): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const { body } = await caller.get(`/v1/tasks?text=${text}&limit=200${after}`);
    count += body.tasks.length;
    if (body.next === null) return count;
    after = `&after=${body.next}`;
  }
}

async function firstAlive(callers: readonly Caller[]): Promise<Caller> {
  for (const caller of callers) {
    const answer = await caller.get('/v1/board').catch(() => undefined);
    if (answer?.status === 200) return caller;
  }
  throw new Error('no hall is left');
}

describe('two nodes on one PostgreSQL', () => {
  const test = testIn('test');

  test('GH-043: two nodes lose and duplicate nothing when the leader is killed', async (t) => {
    await withPostgres(t, async (store) => {
      const { first, second } = await twoNodes(store);
      await using _first = first;
      await using _second = second;
      await raceThrough([first, second], async (leader) => {
        await leader.stop('SIGKILL');
      });
    });
  });
});

describe('two nodes on one PostgreSQL', () => {
  const test = testIn('full');

  test('GH-043: two nodes lose and duplicate nothing when the leader is suspended for 10 s', async (t) => {
    await withPostgres(t, async (store) => {
      const { first, second } = await twoNodes(store);
      await using _first = first;
      await using _second = second;
      await raceThrough([first, second], async (leader) => {
        leader.signal('SIGSTOP');
        await sleep(10_000);
        leader.signal('SIGCONT');
      });
      await isReady(first);
      await isReady(second);
    });
  });
});
