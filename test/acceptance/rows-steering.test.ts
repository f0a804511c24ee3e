import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES } from '../support/acceptance-stores.ts';
import { expectOk, type HallFixture, type Json } from '../support/hall-fixture.ts';
import { guildhall } from './cli-command.ts';

const INVOKER = { handle: 'ada', credential: '$GUILDHALL_ROWS_KEY', weekly_cap: 1000 };
process.env['GUILDHALL_ROWS_KEY'] = 'a-key-that-opens-nothing';

/** Pauses something and checks that active runs continue and no run starts until it is resumed. */
async function stopsAndGoes(
  fixture: HallFixture,
  path: (project: string) => string,
  bringsModel = true,
): Promise<void> {
  const shop = await fixture.project();
  await shop.postAll([{}, {}]);
  const options = { brings_model: bringsModel };
  const [running, waiting] = [await shop.worker(options), await shop.worker(options)];
  const held = await running.claimed();
  const paused = await fixture.post(`${path(shop.name)}/pause`, { because: 'fire' });
  assert.deepEqual([paused.paused.because, paused.paused.by], ['fire', 'operator:local']);
  assert.equal((await waiting.claim()).status, 204);
  assert.equal((await running.heartbeat()).body.orders, 'continue');
  await running.complete(held);
  assert.equal((await running.claim()).status, 204);
  const resumed = await fixture.post(`${path(shop.name)}/resume`);
  assert.equal(resumed.paused, null);
  await waiting.claimed();
}

for (const on of API_STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall({ more: { invokers: [INVOKER] } });

    describe('the kill switch', () => {
      shared.test(
        'X-004a: a paused hall starts no run until it is resumed, and active runs continue',
        (fixture) => stopsAndGoes(fixture, () => '/v1'),
      );

      shared.test(
        'X-004a: a paused project starts no run until it is resumed, and other projects do',
        async (fixture) => {
          await stopsAndGoes(fixture, (project) => `/v1/projects/${project}`);
          const [shop, site] = [await fixture.project(), await fixture.project()];
          await fixture.post(`/v1/projects/${shop.name}/pause`);
          await site.held();
        },
      );

      shared.test(
        'X-004a: a paused instance starts no run until it is resumed, and other instances do',
        async (fixture) => {
          await stopsAndGoes(fixture, () => '/v1/agents/dev-default');
          const shop = await fixture.project();
          await fixture.post('/v1/agents/dev-default/pause');
          await shop.held({ skill: 'review' }, { instance: 'reviewer-default' });
          await fixture.post('/v1/agents/dev-default/resume');
        },
      );

      shared.test(
        'X-004a: a paused invoker pays for no new run until it is resumed',
        async (fixture) => {
          await stopsAndGoes(fixture, () => '/v1/invokers/ada', false);
        },
      );

      shared.test(
        'X-004b: a draining hall starts no run and orders its workers to drain, and active runs end',
        async (fixture) => {
          const shop = await fixture.project();
          await shop.postAll([{}, {}]);
          const [running, idle] = [await shop.worker(), await shop.worker()];
          const held = await running.claimed();
          assert.ok((await fixture.post('/v1/drain', { because: 'upgrade' })).draining);
          assert.equal((await running.heartbeat()).body.orders, 'drain');
          assert.equal((await idle.claim()).status, 204);
          await running.complete(held);
          assert.equal((await shop.board()).running, 0);
          const { paused, draining } = await fixture.post('/v1/resume');
          assert.deepEqual([paused, draining], [null, null]);
          assert.equal((await idle.heartbeat()).body.orders, 'continue');
          await idle.claimed();
        },
      );

      shared.test(
        'X-004b: a draining worker finishes its run and is given no other',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          await shop.post();
          await fixture.post(`/v1/workers/${worker.id}/drain`);
          const { orders, run } = (await worker.heartbeat()).body;
          assert.deepEqual([orders, run], ['drain', claim.run]);
          await worker.complete(claim);
          assert.equal((await worker.claim()).status, 204);
          await (await shop.worker()).claimed();
        },
      );

      shared.test(
        'X-004a X-004b: hall, project, instance and invoker are paused and resumed, and the hall drained, by command',
        async (fixture) => {
          const { name } = await fixture.project();
          const type = (...args: string[]) =>
            guildhall([...args, '--json', '--config', fixture.hall.config], {
              cwd: fixture.hall.folder,
            });
          for (const [what, where] of [
            [[], '/v1/board'],
            [['project', name], `/v1/projects/${name}`],
            [['agents', 'dev-default'], '/v1/agents/dev-default'],
            [['invokers', 'ada'], '/v1/invokers'],
          ] as const) {
            const [noun, ...rest] = what;
            const group = noun === undefined ? [] : [noun];
            const paused = await type(...group, 'pause', ...rest, '--because', 'fire');
            assert.equal(paused.code, 0, paused.stderr);
            assert.match(JSON.stringify(await fixture.get(where)), /"because":"fire"/);
            assert.equal((await type(...group, 'resume', ...rest)).code, 0);
            assert.doesNotMatch(JSON.stringify(await fixture.get(where)), /"because":"fire"/);
          }
          assert.equal((await type('drain')).code, 0);
          assert.ok((await fixture.get('/v1/board')).hall.draining);
          await fixture.post('/v1/resume');
        },
      );
    });

    describe('operations on tasks and threads', () => {
      shared.test(
        'X-005a: a waiting task and a running one are cancelled, and the worker is ordered to stop',
        async (fixture) => {
          const shop = await fixture.project();
          const waiting = await shop.post();
          await fixture.post(`/v1/tasks/${waiting}/cancel`);
          assert.equal((await fixture.task(waiting)).state, 'cancelled');
          const { worker, claim } = await shop.held();
          await worker.mustCall('start', claim);
          await fixture.post(`/v1/tasks/${claim.task.id}/cancel`, { because: 'enough' });
          const { task, runs } = await fixture.taskDetail(claim.task.id);
          assert.deepEqual([task.state, runs[0].ending.how], ['cancelled', 'cancelled']);
          const { orders } = (await worker.heartbeat({ run: claim.run, fence: claim.fence })).body;
          assert.equal(orders, 'stop');
          assert.equal((await shop.board()).running, 0, 'and its place is free');
        },
      );

      shared.test('X-005a: a deferred task is retried at once', async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        const resets_at = '2099-01-01T00:00:00Z';
        await worker.mustCall('report', claim, { outcome: 'quota_exceeded', resets_at });
        assert.equal((await worker.claim()).status, 204);
        const { state } = await fixture.post(`/v1/tasks/${claim.task.id}/retry`);
        assert.equal(state, 'available');
        assert.equal((await worker.claimed()).task.id, claim.task.id);
      });

      shared.test(
        'X-005a: an ended task is reopened as a new task linked to it, in the same thread',
        async (fixture) => {
          const shop = await fixture.project();
          const endings = [
            { outcome: 'failed' },
            { outcome: 'rejected', rejection: { reason_code: 'unsafe', message: 'no' } },
            { outcome: 'completed' },
          ];
          for (const ending of endings) {
            const { worker, claim } = await shop.held({ title: 'again', body: 'all of it' });
            await worker.mustCall('report', claim, ending);
            const reopened = await fixture.post(`/v1/tasks/${claim.task.id}/reopen`);
            const task = await fixture.task(reopened.id);
            assert.notEqual(task.id, claim.task.id);
            assert.deepEqual([task.reopens, task.thread], [claim.task.id, claim.task.thread]);
            assert.deepEqual(
              [task.title, task.body, task.state],
              ['again', 'all of it', 'available'],
            );
            assert.equal((await fixture.task(claim.task.id)).outcome ?? 'rejected', ending.outcome);
            await worker.complete(await worker.claimed());
          }
        },
      );

      shared.test('X-005a: a waiting task is edited, and a held one is not', async (fixture) => {
        const shop = await fixture.project();
        const [first, task = ''] = await shop.postAll([{}, {}]);
        const path = `/v1/tasks/${task}`;
        const change = {
          title: 'better',
          body: 'more',
          labels: ['ui'],
          size: 'L',
          type: 'reviewer',
        };
        expectOk(await fixture.caller.call('PATCH', path, { ...change, depends_on: [first] }));
        const { task: edited, thread } = await fixture.taskDetail(task);
        for (const [key, value] of Object.entries(change))
          assert.deepEqual(edited[key], value, key);
        assert.equal(edited.state, 'blocked');
        assert.equal(thread.blocked_by.length, 1);
        const { claim } = await shop.held({ agent: 'boss-default' }, { instance: 'boss-default' });
        const held = await fixture.caller.call('PATCH', `/v1/tasks/${claim.task.id}`, {
          title: 'x',
        });
        assert.deepEqual([held.status, held.body.code], [409, 'held_by_run']);
      });

      shared.test(
        'X-005a: a task is released from its worker for another one, and counts no crash',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          await fixture.post(`/v1/tasks/${claim.task.id}/release`, { because: 'it hangs' });
          const { task, runs } = await fixture.taskDetail(claim.task.id);
          assert.deepEqual([task.state, task.crashes], ['available', 0]);
          assert.deepEqual([runs[0].ending.how, runs[0].ending.because], ['released', 'it hangs']);
          assert.equal((await worker.call('report', claim, { outcome: 'completed' })).status, 409);
          assert.equal((await (await shop.worker()).claimed()).task.id, task.id);
        },
      );

      shared.test(
        'X-005b: handing a thread over to a person stops its run, and it continues after the handback',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          const path = `/v1/threads/${claim.task.thread}`;
          const over = await fixture.post(`${path}/handover`, { because: 'delicate' });
          assert.equal(over.handed_over.because, 'delicate');
          const { orders } = (await worker.heartbeat({ run: claim.run, fence: claim.fence })).body;
          assert.equal(orders, 'stop');
          assert.equal((await worker.call('report', claim, { outcome: 'completed' })).status, 409);
          assert.equal((await worker.claim()).status, 204, 'and nothing in it starts');
          const back = await fixture.post(`${path}/handback`);
          assert.equal(back.handed_over, null);
          const again = await worker.claimed();
          assert.equal(again.task.id, claim.task.id);
        },
      );

      shared.test(
        'an operation that does not fit the state of a task is refused',
        async (fixture) => {
          const shop = await fixture.project();
          const task = await shop.post();
          for (const verb of ['retry', 'reopen', 'approve', 'release']) {
            const { status, body }: Json = await fixture.caller.post(`/v1/tasks/${task}/${verb}`);
            assert.equal(status, 409, verb);
            assert.notEqual(body.detail, '');
          }
          assert.equal((await fixture.task(task)).state, 'available');
        },
      );
    });
  });
}
