import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withSlowHall } from '../support/acceptance-clock.ts';
import { API_STORES } from '../support/acceptance-stores.ts';
import type { Json } from '../support/hall-fixture.ts';

const MINUTE = 60;

const TARGETS = [
  ['XS', 30 * MINUTE],
  ['S', 30 * MINUTE],
  ['M', 60 * MINUTE],
  ['L', 180 * MINUTE],
] as const;

const PARTS = Array.from({ length: 5 }, (_, n) => ({ title: `part ${n + 1}` }));

for (const on of API_STORES) {
  describe(`the size of a task, on ${on.store}`, () => {
    const shared = on.sharedHall();

    shared.test(
      'GH-011a: the operator sets the size of a task, when posting it and later',
      async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post({ size: 'xs', labels: ['size:l'] });
        assert.equal((await fixture.task(task)).size, 'XS', 'above a label');
        await fixture.caller.call('PATCH', `/v1/tasks/${task}`, { size: 'L' });
        assert.equal((await fixture.task(task)).size, 'L');
        assert.equal((await (await shop.worker()).claimed()).target_seconds, 180 * MINUTE);
      },
    );

    shared.test('GH-011a: a label size:xs to size:xl sets the size of a task', async (fixture) => {
      const shop = await fixture.project();
      for (const size of ['XS', 'S', 'M', 'L', 'XL']) {
        const task = await shop.post({ labels: ['ui', `size:${size.toLowerCase()}`] });
        assert.equal((await fixture.task(task)).size, size);
      }
      const task = await shop.post();
      await fixture.caller.call('PATCH', `/v1/tasks/${task}`, { labels: ['size:s'] });
      assert.equal((await fixture.task(task)).size, 'S', 'also by one that is added later');
    });

    shared.test(
      'GH-011d: a task without a size has the default size of its project, or M',
      async (fixture) => {
        const [plain, large] = [
          await fixture.project(),
          await fixture.project({ default_size: 'L' }),
        ];
        assert.equal((await fixture.task(await plain.post())).size, 'M');
        assert.equal((await fixture.task(await large.post())).size, 'L');
        assert.equal((await fixture.task(await large.post({ size: 'S' }))).size, 'S');
      },
    );

    shared.test(
      'GH-011c: an agent cannot set a size by posting, editing or reporting',
      async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        const task = { project: shop.name, title: 'x', size: 'XS' };
        assert.equal((await worker.caller.post('/v1/tasks', task)).status, 403);
        const path = `/v1/tasks/${claim.task.id}`;
        assert.equal((await worker.caller.call('PATCH', path, { size: 'L' })).status, 403);
        assert.equal(
          (await worker.call('report', claim, { outcome: 'failed', size: 'L' })).status,
          400,
        );
        assert.equal((await fixture.task(claim.task.id)).size, 'M');
      },
    );

    shared.test(
      'GH-011c: an agent can suggest a size when it rejects a task, which changes nothing',
      async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        const rejection = { reason_code: 'too_large', message: 'split it', suggested_size: 'XL' };
        await worker.mustCall('report', claim, { outcome: 'rejected', rejection });
        const task = await fixture.task(claim.task.id);
        assert.deepEqual([task.rejection.suggested_size, task.size], ['XL', 'M']);
        const { id } = await fixture.post(`/v1/tasks/${task.id}/reopen`);
        assert.equal((await fixture.task(id)).size, 'M', 'and nothing comes of it by itself');
      },
    );

    shared.test(
      'GH-011c: an agent that splits a task cannot set the sizes of the children',
      async (fixture) => {
        const shop = await fixture.project({ default_size: 'S', auto_approve: true });
        const { worker, claim } = await shop.held({ size: 'XL' }, { instance: 'boss-default' });
        const sized = PARTS.map((part) => ({ ...part, size: 'L' }));
        assert.equal(
          (await worker.call('report', claim, { outcome: 'completed', children: sized })).status,
          400,
        );
        const labelled = PARTS.map((part) => ({ ...part, labels: ['ui', 'size:l'] }));
        await worker.complete(claim, { children: labelled });
        const { tasks } = await fixture.get(`/v1/tasks?project=${shop.name}&state=available`);
        assert.equal(tasks.length, 5);
        for (const { size, labels } of tasks) assert.deepEqual([size, labels], ['S', ['ui']]);
      },
    );

    shared.test(
      'GH-011e GH-011f: the target of an XS or S task is 30 minutes, of M one hour, of L three, and the limit twice that',
      async (fixture) => {
        const shop = await fixture.project();
        for (const [size, target] of TARGETS) {
          const { claim } = await shop.held({ size });
          assert.deepEqual([claim.target_seconds, claim.limit_seconds], [target, 2 * target], size);
          const run = await fixture.get(`/v1/runs/${claim.run}`);
          assert.deepEqual([run.target_seconds, run.limit_seconds], [target, 2 * target], size);
        }
      },
    );

    shared.test(
      'GH-011f: a project sets its own time limits by size, and the targets stay',
      async (fixture) => {
        const shop = await fixture.project({ time_limits: { L: '8h', S: '20m' } });
        const { time_limits } = await fixture.get(`/v1/projects/${shop.name}`);
        assert.deepEqual(time_limits, { L: '8h', S: '20m' });
        for (const [size, target, limit] of [
          ['L', 180 * MINUTE, 480 * MINUTE],
          ['S', 30 * MINUTE, 20 * MINUTE],
          ['M', 60 * MINUTE, 120 * MINUTE],
        ] as const) {
          const { claim } = await shop.held({ size });
          assert.deepEqual([claim.target_seconds, claim.limit_seconds], [target, limit], size);
        }
        for (const [limits, message] of [
          [{ L: '8 hours' }, /must be a duration such as/],
          [{ L: '30s' }, /must be at least 1m/],
          [{ XXL: '8h' }, /time_limits.XXL is not a known field/],
        ] as const) {
          const { status, body } = await fixture.caller.call('PATCH', `/v1/projects/${shop.name}`, {
            time_limits: limits,
          });
          assert.equal(status, 400);
          assert.match(JSON.stringify(body), message);
        }
      },
    );

    shared.test(
      'GH-011d: triage and decompose tasks have the time of M, whatever their size',
      async (fixture) => {
        const shop = await fixture.project();
        for (const task of [
          { skill: 'triage', size: 'L' },
          { skill: 'decompose', size: 'L' },
          { skill: 'decompose', size: 'XS' },
          { size: 'XL' },
        ]) {
          const { claim } = await shop.held(task, { instance: 'boss-default' });
          assert.equal(claim.target_seconds, 60 * MINUTE, JSON.stringify(task));
          assert.equal(claim.limit_seconds, 120 * MINUTE, JSON.stringify(task));
        }
      },
    );

    shared.test('GH-011d: a reopened task has the size of its thread', async (fixture) => {
      const shop = await fixture.project();
      const { worker, claim } = await shop.held({ size: 'L' });
      await worker.mustCall('report', claim, { outcome: 'failed', summary: 'no' });
      const { id, thread } = await fixture.post(`/v1/tasks/${claim.task.id}/reopen`);
      assert.equal(thread, claim.task.thread);
      assert.equal((await fixture.task(id)).size, 'L');
      assert.equal((await worker.claimed()).target_seconds, 180 * MINUTE);
    });
  });

  describe(`a run that takes too long, on ${on.store} with a manual clock`, () => {
    const store = on.store;

    test('GH-011e: a run over its target goes on, and event, run and board show it', async (t) => {
      await withSlowHall(t, store, async ({ fixture, work, beatFor }) => {
        const { worker, claim } = await work({ size: 'S' });
        const onBoard = async () =>
          (await fixture.get('/v1/board')).workers.find(({ id }: Json) => id === worker.id).run;
        await beatFor(worker, 29 * MINUTE);
        assert.equal((await fixture.get(`/v1/runs/${claim.run}`)).over_target_since, null);
        assert.equal((await onBoard()).over_target_since, null);
        await beatFor(worker, 10 * MINUTE);
        const { over_target_since: since } = await fixture.get(`/v1/runs/${claim.run}`);
        assert.match(since, /T/);
        assert.equal((await onBoard()).over_target_since, since);
        const { events } = await fixture.get(`/v1/events?task=${claim.task.id}`);
        const warnings = events.filter(({ type }: Json) => type === 'TargetExceeded');
        assert.deepEqual(
          warnings.map(({ facts }: Json) => facts),
          [{ run: claim.run }],
          'once',
        );
        assert.equal((await fixture.task(claim.task.id)).state, 'running');
        await worker.complete(claim);
      });
    });

    test('GH-011f: a run over its time limit ends as failed: timeout, and its task shows the limit', async (t) => {
      await withSlowHall(t, store, async ({ fixture, work, beatFor }) => {
        const { worker, claim } = await work({ size: 'S' });
        await beatFor(worker, 59 * MINUTE);
        assert.equal((await fixture.task(claim.task.id)).state, 'running');
        await beatFor(worker, 2 * MINUTE);
        const { task, runs } = await fixture.taskDetail(claim.task.id);
        assert.deepEqual([task.state, task.outcome], ['failed', 'timeout']);
        assert.match(task.summary, /longer than the 60 minutes its size allows/);
        assert.deepEqual([runs[0].ending.how, runs[0].ending.outcome], ['failed', 'timeout']);
        const { orders } = (await worker.heartbeat({ run: claim.run, fence: claim.fence })).body;
        assert.equal(orders, 'stop', 'and its worker is told');
        assert.equal((await worker.call('report', claim, { outcome: 'completed' })).status, 409);
      });
    });

    test('GH-011f: a task that failed by timeout is not retried, and its thread keeps its branch', async (t) => {
      await withSlowHall(t, store, async ({ fixture, work, beatFor }) => {
        const { worker, claim } = await work({ size: 'S' });
        const pr = { number: 1, url: 'https://forge.example/pull/1' };
        const branch = 'hall/dev/issue-1';
        await worker.mustCall('report', claim, { outcome: 'pr_created', branch, pr });
        const { id } = await fixture.post(`/v1/tasks/${claim.task.id}/reopen`);
        const again = await worker.claimed();
        assert.equal(again.task.id, id);
        await worker.mustCall('start', again);
        await beatFor(worker, 61 * MINUTE);
        const { task, thread } = await fixture.taskDetail(id);
        assert.deepEqual([task.state, task.outcome], ['failed', 'timeout']);
        assert.equal(thread.branch, branch);
        assert.equal((await worker.claim()).status, 204);
      });
    });

    test('GH-011f: time spent waiting for an answer counts neither towards the target nor towards the limit', async (t) => {
      await withSlowHall(t, store, async ({ fixture, work, beatFor }) => {
        const { worker, claim } = await work({ size: 'S' });
        await beatFor(worker, 25 * MINUTE);
        await worker.mustCall('ask', claim, { question: 'Which?' });
        await beatFor(worker, 40 * MINUTE);
        assert.equal((await fixture.task(claim.task.id)).state, 'awaiting_input');
        await fixture.post(`/v1/tasks/${claim.task.id}/answer`, { text: 'This.' });
        const again = await worker.claimed();
        await worker.mustCall('start', again);
        await beatFor(worker, 9 * MINUTE);
        assert.equal((await fixture.task(claim.task.id)).state, 'running');
        assert.equal((await fixture.get(`/v1/runs/${again.run}`)).over_target_since, null);
        await worker.complete(again);
      });
    });

    test('target and time limit count from the start of the run, not from the claim', async (t) => {
      await withSlowHall(t, store, async ({ fixture, shop, beatFor }) => {
        const { worker, claim } = await shop.held({ size: 'S' });
        await beatFor(worker, 40 * MINUTE);
        await worker.mustCall('start', claim);
        await beatFor(worker, 29 * MINUTE);
        assert.equal((await fixture.get(`/v1/runs/${claim.run}`)).over_target_since, null);
        const { task }: Json = await fixture.taskDetail(claim.task.id);
        assert.equal(task.state, 'running');
      });
    });
  });
}
