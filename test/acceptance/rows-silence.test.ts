import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { type OwnProject, type Scene, type Told, until } from '../support/acceptance-scene.ts';
import { API_STORES, STORES } from '../support/acceptance-stores.ts';
import { type Child, runScript } from '../support/child.ts';

/** So long that nobody who is meant to live falls silent because the machine stands still for a while. */
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

/** A worker as a process of its own, in the middle of a task. */
async function launch(
  { hall }: Pick<Scene, 'hall'>,
  shop: Pick<OwnProject, 'name'>,
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

async function isListed(scene: Scene, id: string): Promise<boolean> {
  const { workers } = await scene.get('/v1/workers');
  return workers.some((each: Told) => each.id === id);
}

async function released(scene: Scene, task: string): Promise<Told> {
  return until(`${task} is available again`, async () => {
    const whole = await scene.whole(task);
    return whole.task.state === 'available' && whole;
  });
}

for (const on of API_STORES) {
  describe(`a worker that falls silent, on ${on.store}`, { concurrency: true }, () => {
    const shared = on.sharedHall({ hall: SHORT });

    shared.test(
      'GH-T05: killed in the middle of its task, the task is back in the pool within the timeout',
      async (scene) => {
        const shop = await scene.project();
        const task = await shop.post();
        await killed(await launch(scene, shop));
        const { task: back, runs } = await released(scene, task);
        assert.equal(back.crashes, 1);
        assert.equal(runs[0].ending.how, 'lost');
        const another = await shop.worker();
        assert.equal((await another.claimed()).task.id, task);
      },
    );

    shared.test('GH-T07 GH-030a: is marked dead, and its task is released', async (scene) => {
      const shop = await scene.project();
      const task = await shop.post();
      const worker = await launch(scene, shop);
      worker.child.process.kill('SIGSTOP');
      await released(scene, task);
      assert.equal(await isListed(scene, worker.id), false);
      const { events } = await scene.get('/v1/events?type=WorkerDeregistered&limit=1000');
      const gone = events.find(({ facts }: Told) => facts.worker === worker.id);
      assert.equal(gone.facts.because, `silent for ${DEAD_AFTER} s`);
      assert.deepEqual([gone.actor, gone.cause], ['hall', 'chore: silence']);

      worker.child.process.kill('SIGCONT');
      await worker.child.said('was told 401');
      assert.equal((await scene.task(task)).state, 'available', 'and comes too late');
    });

    shared.test('GH-026: is found dead, also when it had nothing to do', async (scene) => {
      const shop = await scene.project();
      const { id } = await shop.worker();
      assert.equal(await isListed(scene, id), true);
      await until('it is not in the list any more', async () => !(await isListed(scene, id)));
    });

    shared.test('GH-026: gives its task back, whether it had begun or not', async (scene) => {
      const shop = await scene.project();
      const [claimed, begun] = [await shop.held(), await shop.held()];
      await begun.worker.tell('start', begun.claim);
      for (const { claim } of [claimed, begun]) {
        const { task, runs } = await released(scene, claim.task.id);
        assert.equal(task.crashes, 1);
        assert.equal(runs[0].ending.how, 'lost');
      }
    });

    shared.test('GH-026: leaves nothing orphaned, when many fall silent at once', async (scene) => {
      const shop = await scene.project({ max_workers: 4 });
      const held = [await shop.held(), await shop.held(), await shop.held(), await shop.held()];
      const tasks = [...held.map(({ claim }) => claim.task.id), await shop.post()];
      for (const task of tasks) await released(scene, task);
      const { running, open, counts } = await shop.board();
      assert.deepEqual([running, open, counts.available], [0, 5, 5]);
      for (const { worker } of held) assert.equal(await isListed(scene, worker.id), false);
      const survivor = await shop.worker();
      for (const _ of tasks) await survivor.complete(await survivor.claimed());
      assert.equal((await shop.board()).open, 0, 'and all of it can be done');
    });

    shared.test('GH-042: never loses a task, nor what it had said about it', async (scene) => {
      const shop = await scene.project();
      const task = await shop.post({ title: 'precious', body: 'every word', labels: ['ui'] });
      const worker = await launch(scene, shop);
      await killed(worker);
      const { task: back, notes } = await released(scene, task);
      assert.deepEqual([back.title, back.body, back.labels], ['precious', 'every word', ['ui']]);
      assert.deepEqual(
        notes.map(({ text }: Told) => text),
        ['half done'],
      );
      const { entries } = await scene.get(`/v1/runs/${worker.run}/transcript`);
      assert.equal(entries[0].text, '$ npm test');
      const next = await (await shop.worker()).claimed();
      assert.equal(next.task.notes[0].text, 'half done', 'the next one reads it');
      assert.equal(next.task.previous[0].ending.how, 'lost');
    });

    shared.test(
      'GH-042: keeps the place of its task, before those that came later',
      async (scene) => {
        const shop = await scene.project();
        const [first, later] = await shop.postAll([{}, {}]);
        await killed(await launch(scene, shop));
        await released(scene, first ?? '');
        const worker = await shop.worker();
        const claim = await worker.claimed();
        assert.equal(claim.task.id, first);
        await worker.complete(claim);
        assert.equal((await worker.claimed()).task.id, later);
      },
    );

    shared.test(
      'GH-010a GH-042: costs its task an end only when too many died over it, which says so',
      async (scene) => {
        const shop = await scene.project({ crash_requeues: 1 });
        const { claim } = await shop.held();
        const task = claim.task.id;
        assert.equal((await released(scene, task)).task.crashes, 1);
        await (await shop.worker()).claimed();
        const ended = await until('it is given up', async () => {
          const now = await scene.task(task);
          return now.state === 'failed' && now;
        });
        assert.deepEqual([ended.outcome, ended.crashes], ['crashed', 2]);
        assert.match(ended.summary, /lost 2 workers in a row/);
      },
    );

    shared.test(
      'GH-030a: is told how often to beat and when it counts as dead, both as configured',
      async (scene) => {
        const asked = { instance: 'dev-default', brings_model: true };
        const { heartbeat_seconds, lease_seconds } = await scene.post('/v1/workers', asked);
        assert.deepEqual([heartbeat_seconds, lease_seconds], [BEAT, DEAD_AFTER]);
      },
    );

    shared.test(
      'is not dead while its host beats, however long the run says nothing',
      async (scene) => {
        const shop = await scene.project();
        const task = await shop.post();
        const worker = await launch(scene, shop);
        const { started_at } = await scene.get(`/v1/runs/${worker.run}`);
        const enough = Date.parse(started_at) + 1.5 * DEAD_AFTER * 1_000;
        await until('one and a half times the limit are over', () => Date.now() > enough);
        const { task: held, runs } = await scene.whole(task);
        assert.deepEqual([held.state, held.crashes, runs.length], ['running', 0, 1]);
        await killed(worker);
      },
    );

    shared.test('is not dead while it waits for work', async (scene) => {
      const shop = await scene.project();
      const worker = await shop.worker();
      const { status } = await worker.claim({ wait_seconds: 1.5 * DEAD_AFTER });
      assert.equal(status, 204);
      assert.equal((await worker.beat()).status, 200);
    });
  });

  describe(`the times of a hall that sets none, on ${on.store}`, () => {
    const shared = on.sharedHall();

    shared.test('GH-030a: a heartbeat every 3 minutes, dead after 6', async (scene) => {
      const asked = { instance: 'dev-default', brings_model: true };
      const { heartbeat_seconds, lease_seconds } = await scene.post('/v1/workers', asked);
      assert.deepEqual([heartbeat_seconds, lease_seconds], [180, 360]);
      const shop = await scene.project();
      const { body } = await (await shop.held()).worker.claim();
      assert.deepEqual([body.heartbeat_seconds, body.lease_seconds], [180, 360]);
    });
  });
}

for (const on of STORES) {
  describe(`workers and a hall that dies with them, on ${on.store}`, () => {
    on.test(
      'GH-026 GH-042: a worker that died while the hall was down is found when it is up again',
      async (place) => {
        const hall = await place.startProcess({ projects: { shop: 5 }, hall: SHORT });
        const task = await hall.caller().post('/v1/tasks', { project: 'shop', title: 'held' });
        const id = task.body.tasks[0].id;
        const shop = { name: 'shop' } as OwnProject;
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
