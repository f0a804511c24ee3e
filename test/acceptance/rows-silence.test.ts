import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { API_STORES, STORES } from '../support/acceptance-stores.ts';
import { type Child, runScript } from '../support/child.ts';
import {
  type HallFixture,
  type Json,
  type ProjectFixture,
  until,
} from '../support/hall-fixture.ts';

/** Long enough that no live worker falls silent when the machine stalls for a while. */
const DEAD_AFTER = 10;
const BEAT = 0.2;
const SHORT = { heartbeat_seconds: BEAT, dead_after_seconds: DEAD_AFTER };

interface WorkerProcess {
  readonly id: string;
  readonly run: string;
  readonly child: Child;
}

const launched: Child[] = [];

after(() => {
  for (const { process: child } of launched) child.kill('SIGKILL');
});

/** A worker in its own process, in the middle of a task. */
async function launch(
  { hall }: Pick<HallFixture, 'hall'>,
  shop: Pick<ProjectFixture, 'name'>,
): Promise<WorkerProcess> {
  const args = [hall.url, hall.token, shop.name, String(BEAT * 1_000)];
  const child = runScript('acceptance-worker.ts', args);
  launched.push(child);
  const [, id = '', run = ''] = (await child.said('holds ')).split(' ');
  return { id, run, child };
}

function killed({ child }: WorkerProcess): Promise<unknown> {
  child.process.kill('SIGKILL');
  return child.ended();
}

async function isListed(fixture: HallFixture, id: string): Promise<boolean> {
  const { workers } = await fixture.get('/v1/workers');
  return workers.some((each: Json) => each.id === id);
}

async function released(fixture: HallFixture, task: string): Promise<Json> {
  return until(`${task} is available again`, async () => {
    const detail = await fixture.taskDetail(task);
    return detail.task.state === 'available' && detail;
  });
}

for (const on of API_STORES) {
  describe(`a worker that falls silent, on ${on.store}`, { concurrency: true }, () => {
    const shared = on.sharedHall({ hall: SHORT });

    shared.test(
      'GH-T05: the task of a worker that was killed in the middle of it is available again after the timeout',
      async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post();
        await killed(await launch(fixture, shop));
        const { task: back, runs } = await released(fixture, task);
        assert.equal(back.crashes, 1);
        assert.equal(runs[0].ending.how, 'lost');
        const another = await shop.worker();
        assert.equal((await another.claimed()).task.id, task);
      },
    );

    shared.test(
      'GH-T07 GH-030a: a silent worker is marked dead, and its task is released',
      async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post();
        const worker = await launch(fixture, shop);
        worker.child.process.kill('SIGSTOP');
        await released(fixture, task);
        assert.equal(await isListed(fixture, worker.id), false);
        const { events } = await fixture.get('/v1/events?type=WorkerDeregistered&limit=1000');
        const gone = events.find(({ facts }: Json) => facts.worker === worker.id);
        assert.equal(gone.facts.because, `silent for ${DEAD_AFTER} s`);
        assert.deepEqual([gone.actor, gone.cause], ['hall', 'chore: silence']);

        worker.child.process.kill('SIGCONT');
        await worker.child.said('was told 401');
        assert.equal((await fixture.task(task)).state, 'available', 'and comes too late');
      },
    );

    shared.test('GH-026: a silent worker without a task is found dead', async (fixture) => {
      const shop = await fixture.project();
      const { id } = await shop.worker();
      assert.equal(await isListed(fixture, id), true);
      await until('it is not in the list any more', async () => !(await isListed(fixture, id)));
    });

    shared.test(
      'GH-026: the task of a silent worker is released, whether the run had started or not',
      async (fixture) => {
        const shop = await fixture.project();
        const [claimed, begun] = [await shop.held(), await shop.held()];
        await begun.worker.mustCall('start', begun.claim);
        for (const { claim } of [claimed, begun]) {
          const { task, runs } = await released(fixture, claim.task.id);
          assert.equal(task.crashes, 1);
          assert.equal(runs[0].ending.how, 'lost');
        }
      },
    );

    shared.test(
      'GH-026: when many workers fall silent at once, no task is orphaned',
      async (fixture) => {
        const shop = await fixture.project({ max_workers: 4 });
        const held = [await shop.held(), await shop.held(), await shop.held(), await shop.held()];
        const tasks = [...held.map(({ claim }) => claim.task.id), await shop.post()];
        for (const task of tasks) await released(fixture, task);
        const { running, open, counts } = await shop.board();
        assert.deepEqual([running, open, counts.available], [0, 5, 5]);
        for (const { worker } of held) assert.equal(await isListed(fixture, worker.id), false);
        const survivor = await shop.worker();
        for (const _ of tasks) await survivor.complete(await survivor.claimed());
        assert.equal((await shop.board()).open, 0, 'and all of it can be done');
      },
    );

    shared.test(
      'GH-042: a killed worker loses neither its task nor its notes and transcript',
      async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post({ title: 'precious', body: 'every word', labels: ['ui'] });
        const worker = await launch(fixture, shop);
        await killed(worker);
        const { task: back, notes } = await released(fixture, task);
        assert.deepEqual([back.title, back.body, back.labels], ['precious', 'every word', ['ui']]);
        assert.deepEqual(
          notes.map(({ text }: Json) => text),
          ['half done'],
        );
        const { entries } = await fixture.get(`/v1/runs/${worker.run}/transcript`);
        assert.equal(entries[0].text, '$ npm test');
        const next = await (await shop.worker()).claimed();
        assert.equal(next.task.notes[0].text, 'half done', 'the next one reads it');
        assert.equal(next.task.previous[0].ending.how, 'lost');
      },
    );

    shared.test(
      'GH-042: the task of a killed worker keeps its place in the queue',
      async (fixture) => {
        const shop = await fixture.project();
        const [first, later] = await shop.postAll([{}, {}]);
        await killed(await launch(fixture, shop));
        await released(fixture, first ?? '');
        const worker = await shop.worker();
        const claim = await worker.claimed();
        assert.equal(claim.task.id, first);
        await worker.complete(claim);
        assert.equal((await worker.claimed()).task.id, later);
      },
    );

    shared.test(
      'GH-010a GH-042: a task fails as crashed after its workers died more than crash_requeues times',
      async (fixture) => {
        const shop = await fixture.project({ crash_requeues: 1 });
        const { claim } = await shop.held();
        const task = claim.task.id;
        assert.equal((await released(fixture, task)).task.crashes, 1);
        await (await shop.worker()).claimed();
        const ended = await until('it is given up', async () => {
          const now = await fixture.task(task);
          return now.state === 'failed' && now;
        });
        assert.deepEqual([ended.outcome, ended.crashes], ['crashed', 2]);
        assert.match(ended.summary, /lost 2 workers in a row/);
      },
    );

    shared.test(
      'GH-030a: a worker is told the configured heartbeat interval and lease',
      async (fixture) => {
        const registration = { instance: 'dev-default', brings_model: true };
        const { heartbeat_seconds, lease_seconds } = await fixture.post(
          '/v1/workers',
          registration,
        );
        assert.deepEqual([heartbeat_seconds, lease_seconds], [BEAT, DEAD_AFTER]);
      },
    );

    shared.test(
      'a worker is not dead while its host sends heartbeats, however long the run is quiet',
      async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post();
        const worker = await launch(fixture, shop);
        const { started_at } = await fixture.get(`/v1/runs/${worker.run}`);
        const enough = Date.parse(started_at) + 1.5 * DEAD_AFTER * 1_000;
        await until('one and a half times the limit are over', () => Date.now() > enough);
        const { task: held, runs } = await fixture.taskDetail(task);
        assert.deepEqual([held.state, held.crashes, runs.length], ['running', 0, 1]);
        await killed(worker);
      },
    );

    shared.test('a worker is not dead while its claim waits', async (fixture) => {
      const shop = await fixture.project();
      const worker = await shop.worker();
      const { status } = await worker.claim({ wait_seconds: 1.5 * DEAD_AFTER });
      assert.equal(status, 204);
      assert.equal((await worker.heartbeat()).status, 200);
    });
  });

  describe(`default times, on ${on.store}`, () => {
    const shared = on.sharedHall();

    shared.test(
      'GH-030a: by default a worker sends a heartbeat every 3 minutes and is dead after 6',
      async (fixture) => {
        const registration = { instance: 'dev-default', brings_model: true };
        const { heartbeat_seconds, lease_seconds } = await fixture.post(
          '/v1/workers',
          registration,
        );
        assert.deepEqual([heartbeat_seconds, lease_seconds], [180, 360]);
        const shop = await fixture.project();
        const { body } = await (await shop.held()).worker.claim();
        assert.deepEqual([body.heartbeat_seconds, body.lease_seconds], [180, 360]);
      },
    );
  });
}

for (const on of STORES) {
  describe(`workers that die while the hall is down, on ${on.store}`, () => {
    on.test(
      'GH-026 GH-042: a worker that died while the hall was down is found after the restart',
      async (place) => {
        const hall = await place.startProcess({ projects: { shop: 5 }, hall: SHORT });
        const task = await hall.caller().post('/v1/tasks', { project: 'shop', title: 'held' });
        const id = task.body.tasks[0].id;
        const shop = { name: 'shop' } as ProjectFixture;
        const worker = await launch({ hall }, shop);
        await hall.stop('SIGKILL');
        await killed(worker);
        await hall.start();
        const state = async () => (await hall.caller().get(`/v1/tasks/${id}`)).body.task.state;
        assert.equal(await state(), 'running', 'not before the time it has');
        await until('it is released', async () => (await state()) === 'available');
      },
    );
  });
}
