import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe } from 'node:test';
import { Scene, type Told } from '../support/acceptance-scene.ts';
import { STORES } from '../support/acceptance-stores.ts';
import type { HallProcess } from '../support/hall-process.ts';
import { wholeLog } from '../support/history-check.ts';

/** A bit of everything a hall can acknowledge. */
async function acknowledgeMuch(scene: Scene): Promise<void> {
  const shop = await scene.project({ max_workers: 9, sources: [{ kind: 'api' }] });
  await scene.post('/v1/tokens', { name: 'eve', role: 'viewer' });
  const worker = await shop.worker({ host: 'build-1' });
  const say = async (task: object, said: object) => {
    await shop.post(task);
    await worker.tell('report', await worker.claimed(), said);
  };
  await say(
    { title: 'done' },
    { outcome: 'completed', summary: 'yes', branch: 'b', commit: 'abc1234' },
  );
  const pr = { number: 1, url: 'https://forge.example/pull/1' };
  await say({ title: 'proposed' }, { outcome: 'pr_created', pr });
  await say({ title: 'failed' }, { outcome: 'failed', summary: 'no' });
  const rejection = { reason_code: 'duplicate', message: 'of t-1' };
  await say({ title: 'rejected' }, { outcome: 'rejected', rejection });
  await say(
    { title: 'deferred' },
    { outcome: 'quota_exceeded', resets_at: '2099-01-01T00:00:00Z' },
  );
  await shop.post({ title: 'asked' });
  await worker.tell('ask', await worker.claimed(), { question: 'Which?', session: 's-9' });
  await shop.post({ title: 'cancelled' });
  const cancelled = await worker.claimed();
  await scene.post(`/v1/tasks/${cancelled.task.id}/cancel`, { because: 'enough' });
  await shop.post({ title: 'running' });
  const running = await worker.claimed();
  await worker.tell('start', running);
  await worker.tell('note', running, { text: 'half done' });
  await worker.tell('usage', running, {
    input_tokens: 7,
    output_tokens: 3,
    turns: 1,
    cost_usd: 0.1,
  });
  await worker.tell('log', running, { entries: ['one', 'two'] });
  const [, blocked] = await shop.postAll([{ ref: 'a', size: 'L' }, { depends_on: ['a'] }]);
  const { thread } = await scene.task(blocked ?? '');
  await scene.post(`/v1/threads/${thread}/handover`, { because: 'mine' });
  await scene.post(`/v1/projects/${shop.name}/pause`, { because: 'lunch' });
  await scene.post('/v1/agents/reviewer-default/pause');
  await scene.post('/v1/pause', { because: 'night' });
}

/** All that can be seen of a hall, without what time alone changes. */
async function everything(scene: Scene): Promise<Told> {
  const { at: _at, workers, ...board } = await scene.get('/v1/board');
  const { tasks } = await scene.get('/v1/tasks?limit=200');
  const wholes: Told[] = [];
  const logs: Told[] = [];
  for (const { id } of tasks) {
    wholes.push(await scene.whole(id));
    logs.push(await scene.get(`/v1/tasks/${id}/log`));
  }
  const seen: Told[] = [];
  for (const path of [
    'projects',
    'threads',
    'agents',
    'tokens',
    'stats',
    'usage',
    'sources',
    'graph',
  ]) {
    seen.push(await scene.get(`/v1/${path}`));
  }
  const unseen = workers.map(({ last_seen: _seen, ...worker }: Told) => worker);
  return { board, workers: unseen, wholes, logs, seen, log: await wholeLog(scene.caller) };
}

async function revived(hall: HallProcess, signal: NodeJS.Signals): Promise<void> {
  await hall.stop(signal);
  await hall.start();
}

for (const on of STORES) {
  describe(`a hall that is started again, on ${on.store}`, () => {
    for (const [how, signal] of [
      ['killed with SIGKILL', 'SIGKILL'],
      ['stopped with SIGTERM', 'SIGTERM'],
    ] as const) {
      on.test(
        `GH-043: after being ${how} shows all that it showed before, to the last word`,
        async (place) => {
          const hall = await place.start();
          using scene = new Scene(hall);
          await acknowledgeMuch(scene);
          const before = await everything(scene);
          await revived(hall, signal);
          assert.deepEqual(await everything(scene), before);
        },
      );
    }

    on.test('GH-043: knows its workers, who go on where they were', async (place) => {
      const hall = await place.start();
      using scene = new Scene(hall);
      const shop = await scene.project();
      const { worker, claim } = await shop.held();
      await worker.tell('start', claim);
      await revived(hall, 'SIGKILL');
      const { body } = await worker.beat({ run: claim.run, fence: claim.fence });
      assert.deepEqual([body.orders, body.run], ['go_on', claim.run]);
      await worker.complete(claim, { summary: 'over the restart' });
      assert.equal((await scene.task(claim.task.id)).summary, 'over the restart');
    });

    on.test(
      'GH-043: answers a repeated request as it did before, and does it once',
      async (place) => {
        const hall = await place.start({ projects: { shop: 1 } });
        using scene = new Scene(hall);
        const key = randomUUID();
        const task = { project: 'shop', title: 'once' };
        const first = await scene.caller.post('/v1/tasks', task, { key });
        await revived(hall, 'SIGKILL');
        const again = await scene.caller.post('/v1/tasks', task, { key });
        assert.deepEqual([again.status, again.body], [first.status, first.body]);
        assert.equal(again.headers['idempotency-replayed'], 'true');
        assert.equal((await scene.get('/v1/tasks')).tasks.length, 1);
      },
    );

    on.test(
      'GH-043: killed in the middle of many requests, it has each one it said yes to',
      async (place) => {
        const hall = await place.start({ projects: { shop: 1 } });
        using scene = new Scene(hall);
        const acknowledged: string[] = [];
        const clients = Array.from({ length: 8 }, async () => {
          for (;;) {
            const task = { project: 'shop', title: 'one of many' };
            const answer = await scene.caller.post('/v1/tasks', task).catch(() => undefined);
            if (answer?.status !== 201) return;
            acknowledged.push(answer.body.tasks[0].id);
            if (acknowledged.length === 150) hall.signal('SIGKILL');
          }
        });
        await Promise.all(clients);
        assert.ok(acknowledged.length >= 150);
        await revived(hall, 'SIGKILL');
        const kept = new Set(
          (await wholeLog(scene.caller))
            .filter(({ type }) => type === 'TaskPosted')
            .map(({ facts }) => facts.task),
        );
        for (const id of acknowledged) assert.ok(kept.has(id), `${id} was acknowledged`);
      },
    );
  });
}
