import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES } from '../support/acceptance-stores.ts';
import type { HallFixture, Json, ProjectFixture } from '../support/hall-fixture.ts';
import { guildhall } from './cli-command.ts';

function parts(count: number): readonly object[] {
  return Array.from({ length: count }, (_, n) => ({ title: `part ${n + 1}`, ref: `p${n + 1}` }));
}

/** A task that a manager agent has split, with all children approved. */
async function split(fixture: HallFixture, shop: ProjectFixture, count: number): Promise<string> {
  const { worker, claim } = await shop.held({ size: 'XL' }, { instance: 'boss-default' });
  await worker.complete(claim, { summary: 'split', children: parts(count) });
  const { approved } = await fixture.post(`/v1/tasks/${claim.task.id}/approve`);
  assert.equal(approved.length, count);
  return claim.task.id;
}

async function progress(fixture: HallFixture, task: string): Promise<string> {
  const { task: shown, thread } = await fixture.taskDetail(task);
  assert.equal(shown.progress, thread.progress);
  return shown.progress;
}

for (const on of API_STORES) {
  describe(`splitting a task, on ${on.store}`, () => {
    const shared = on.sharedHall();

    shared.test(
      'GH-012a: an XL task is not implemented but decomposed, by a manager',
      async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post({ size: 'XL' });
        assert.equal(
          (await (await shop.worker()).claim()).status,
          204,
          'a developer is not given it',
        );
        const boss = await shop.worker({ instance: 'boss-default' });
        const claim = await boss.claimed();
        assert.deepEqual([claim.task.id, claim.task.skill], [task, 'decompose']);
        const { status } = await boss.call('report', claim, { outcome: 'completed' });
        assert.equal(status, 422, 'and is not done without parts');
      },
    );

    shared.test(
      'GH-012a: an XL task has 5 to 25 children, and another number is refused',
      async (fixture) => {
        const shop = await fixture.project();
        for (const count of [5, 25]) {
          const { worker, claim } = await shop.held({ size: 'XL' }, { instance: 'boss-default' });
          const report = (children: readonly object[]) =>
            worker.call('report', claim, { outcome: 'completed', children });
          assert.deepEqual([(await report(parts(4))).body.code], ['children_out_of_range']);
          assert.equal((await report(parts(26))).status, 400);
          assert.equal((await fixture.task(claim.task.id)).state, 'claimed');
          assert.equal((await report(parts(count))).status, 200);
          assert.equal(await progress(fixture, claim.task.id), `0 of ${count} completed`);
        }
      },
    );

    shared.test('a breakdown has at least one child', async (fixture) => {
      const shop = await fixture.project();
      const task = { skill: 'breakdown' };
      const { worker, claim } = await shop.held(task, { instance: 'boss-default' });
      const report = (children: readonly object[]) =>
        worker.call('report', claim, { outcome: 'completed', children });
      assert.equal((await report([])).body.code, 'children_out_of_range');
      assert.equal((await report(parts(1))).status, 200);
      assert.equal(await progress(fixture, claim.task.id), '0 of 1 completed');
    });

    shared.test(
      'GH-012a: a task of another size is decomposed into 2 to 25 children, only on request',
      async (fixture) => {
        const shop = await fixture.project();
        for (const size of ['XS', 'S', 'M', 'L']) {
          const task = { skill: 'decompose', size };
          const { worker, claim } = await shop.held(task, { instance: 'boss-default' });
          const report = (children: readonly object[]) =>
            worker.call('report', claim, { outcome: 'completed', children });
          assert.equal((await report(parts(1))).body.code, 'children_out_of_range');
          assert.equal((await report(parts(26))).status, 400);
          assert.equal((await report(parts(2))).status, 200, size);
          assert.equal(await progress(fixture, claim.task.id), '0 of 2 completed');
        }
        const { worker, claim } = await shop.held();
        const unasked = await worker.call('report', claim, {
          outcome: 'completed',
          children: parts(2),
        });
        assert.equal(unasked.status, 422, 'nobody asked to split this one');
      },
    );

    shared.test(
      'GH-012b: a child without a pull request counts when it is completed',
      async (fixture) => {
        const shop = await fixture.project();
        const parent = await split(fixture, shop, 5);
        const worker = await shop.worker();
        const claim = await worker.claimed();
        assert.equal(await progress(fixture, parent), '0 of 5 completed');
        await worker.complete(claim);
        assert.equal(await progress(fixture, parent), '1 of 5 completed');
      },
    );

    shared.test(
      'GH-012b: a child with a pull request counts when that is merged',
      async (fixture) => {
        const shop = await fixture.project();
        const parent = await split(fixture, shop, 5);
        const worker = await shop.worker();
        const claim = await worker.claimed();
        const pr = { number: 3, url: 'https://forge.example/pull/3' };
        await worker.mustCall('report', claim, {
          outcome: 'pr_created',
          branch: 'hall/dev/issue-3',
          pr,
        });
        assert.equal((await fixture.task(claim.task.id)).state, 'completed');
        assert.equal(await progress(fixture, parent), '0 of 5 completed');
        await fixture.post(`/v1/threads/${claim.task.thread}/mark-merged`);
        assert.equal(await progress(fixture, parent), '1 of 5 completed');
      },
    );

    shared.test(
      'GH-012b: a failed or rejected child does not count as completed, and a cancelled one not at all',
      async (fixture) => {
        const shop = await fixture.project();
        const parent = await split(fixture, shop, 5);
        const worker = await shop.worker();
        await worker.mustCall('report', await worker.claimed(), { outcome: 'failed' });
        const rejection = { reason_code: 'unsafe', message: 'no' };
        await worker.mustCall('report', await worker.claimed(), { outcome: 'rejected', rejection });
        assert.equal(await progress(fixture, parent), '0 of 5 completed');
        const claim = await worker.claimed();
        await fixture.post(`/v1/tasks/${claim.task.id}/cancel`);
        assert.equal(await progress(fixture, parent), '0 of 4 completed');
      },
    );

    shared.test(
      'GH-012c HA-171a: a dependency is met when its pull request is merged, or when it is completed without one',
      async (fixture) => {
        const shop = await fixture.project();
        const worker = await shop.worker();
        const pr = { number: 4, url: 'https://forge.example/pull/4' };
        for (const outcome of ['pr_created', 'completed']) {
          const base = await shop.post();
          const next = await shop.post({ depends_on: [base] });
          const claim = await worker.claimed();
          await worker.mustCall('report', claim, {
            outcome,
            ...(outcome === 'pr_created' && { branch: 'hall/dev/issue-4', pr }),
          });
          if (outcome === 'pr_created') {
            assert.equal((await fixture.task(next)).state, 'blocked');
            await fixture.post(`/v1/threads/${claim.task.thread}/mark-merged`);
          }
          assert.equal((await fixture.task(next)).state, 'available');
          await worker.complete(await worker.claimed());
        }
        const [failed, after] = await shop.postAll([{ ref: 'f' }, { depends_on: ['f'] }]);
        const claim = await worker.claimed();
        assert.equal(claim.task.id, failed);
        await worker.mustCall('report', claim, { outcome: 'failed' });
        assert.equal((await fixture.task(after ?? '')).state, 'blocked');
      },
    );

    shared.test(
      'GH-012b GH-012c: a parent is done with its last child and unblocks the tasks that depend on it',
      async (fixture) => {
        const shop = await fixture.project();
        const parent = await split(fixture, shop, 5);
        const waits = await shop.post({ depends_on: [parent] });
        const worker = await shop.worker();
        for (let left = 5; left > 0; left -= 1) {
          assert.equal((await fixture.task(waits)).state, 'blocked');
          await worker.complete(await worker.claimed());
        }
        const { thread, task } = await fixture.taskDetail(parent);
        assert.deepEqual([thread.state, task.progress], ['done', '5 of 5 completed']);
        assert.equal((await fixture.task(waits)).state, 'available');
      },
    );

    shared.test(
      'GH-T09a: a manager claims an XL task and its children are created',
      async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post({ title: 'the whole shop', size: 'XL' });
        const boss = await shop.worker({ instance: 'boss-default' });
        const claim = await boss.claimed();
        assert.equal(claim.task.id, task);
        await boss.complete(claim, { children: parts(10) });
        const { children, thread } = await fixture.taskDetail(task);
        assert.equal(children.length, 10);
        for (const child of children) assert.equal(child.parent, thread.id);
        const { tasks } = await fixture.get(`/v1/tasks?project=${shop.name}&state=proposed`);
        assert.deepEqual(
          tasks.map(({ title }: Json) => title).toReversed(),
          parts(10).map((part: Json) => part.title),
        );
      },
    );

    shared.test(
      'GH-012b: task, thread, graph, task list and task show print "3 of 10 completed" after three children',
      async (fixture) => {
        const shop = await fixture.project();
        const parent = await split(fixture, shop, 10);
        const worker = await shop.worker();
        for (let done = 0; done < 3; done += 1) await worker.complete(await worker.claimed());
        assert.equal(await progress(fixture, parent), '3 of 10 completed');
        const { threads } = await fixture.get(`/v1/graph?project=${shop.name}`);
        const top = threads.find((thread: Json) => thread.parent === null);
        assert.equal(top.progress, '3 of 10 completed');
        const { tasks } = await fixture.get(`/v1/tasks?project=${shop.name}&state=completed`);
        assert.equal(tasks.find(({ id }: Json) => id === parent).progress, '3 of 10 completed');
        const args = ['task', 'show', parent, '--config', fixture.hall.config];
        const { stdout } = await guildhall(args, { cwd: fixture.hall.folder });
        assert.match(stdout, /^3 of 10 completed$/m);
      },
    );
  });
}
