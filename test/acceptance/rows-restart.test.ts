import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe } from 'node:test';
import { STORES } from '../support/acceptance-stores.ts';
import { acknowledgeMuch, everything } from '../support/acknowledged-history.ts';
import { HallFixture } from '../support/hall-fixture.ts';
import type { HallProcess } from '../support/hall-process.ts';
import { wholeLog } from '../support/history-check.ts';

async function revived(hall: HallProcess, signal: NodeJS.Signals): Promise<void> {
  await hall.stop(signal);
  await hall.start();
}

for (const on of STORES) {
  describe(`a restarted hall, on ${on.store}`, () => {
    for (const [how, signal] of [
      ['killed with SIGKILL', 'SIGKILL'],
      ['stopped with SIGTERM', 'SIGTERM'],
    ] as const) {
      on.test(`GH-043: a hall that was ${how} shows the same as before`, async (place) => {
        const hall = await (signal === 'SIGKILL' ? place.startProcess() : place.start());
        using fixture = new HallFixture(hall);
        await acknowledgeMuch(fixture);
        const before = await everything(fixture);
        await revived(hall, signal);
        assert.deepEqual(await everything(fixture), before);
      });
    }

    on.test('GH-043: after a restart, a worker continues its run', async (place) => {
      const hall = await place.start();
      using fixture = new HallFixture(hall);
      const shop = await fixture.project();
      const { worker, claim } = await shop.held();
      await worker.mustCall('start', claim);
      await revived(hall, 'SIGTERM');
      const { body } = await worker.heartbeat({ run: claim.run, fence: claim.fence });
      assert.deepEqual([body.orders, body.run], ['continue', claim.run]);
      await worker.complete(claim, { summary: 'over the restart' });
      assert.equal((await fixture.task(claim.task.id)).summary, 'over the restart');
    });

    on.test(
      'GH-043: a request repeated after SIGKILL is answered as before and takes effect once',
      async (place) => {
        const hall = await place.startProcess({ projects: { shop: 1 } });
        using fixture = new HallFixture(hall);
        const key = randomUUID();
        const task = { project: 'shop', title: 'once' };
        const first = await fixture.caller.post('/v1/tasks', task, { key });
        await revived(hall, 'SIGKILL');
        const again = await fixture.caller.post('/v1/tasks', task, { key });
        assert.deepEqual([again.status, again.body], [first.status, first.body]);
        assert.equal(again.headers['idempotency-replayed'], 'true');
        assert.equal((await fixture.get('/v1/tasks')).tasks.length, 1);
      },
    );

    on.test(
      'GH-043: a hall that is killed during many requests has every acknowledged task',
      async (place) => {
        const hall = await place.startProcess({ projects: { shop: 1 } });
        using fixture = new HallFixture(hall);
        const acknowledged: string[] = [];
        const clients = Array.from({ length: 8 }, async () => {
          for (;;) {
            const task = { project: 'shop', title: 'one of many' };
            const answer = await fixture.caller.post('/v1/tasks', task).catch(() => undefined);
            if (answer?.status !== 201) return;
            acknowledged.push(answer.body.tasks[0].id);
            if (acknowledged.length === 150) hall.signal('SIGKILL');
          }
        });
        await Promise.all(clients);
        assert.ok(acknowledged.length >= 150);
        await revived(hall, 'SIGKILL');
        const kept = new Set(
          (await wholeLog(fixture.caller))
            .filter(({ type }) => type === 'TaskPosted')
            .map(({ facts }) => facts.task),
        );
        for (const id of acknowledged) assert.ok(kept.has(id), `${id} was acknowledged`);
      },
    );
  });
}
