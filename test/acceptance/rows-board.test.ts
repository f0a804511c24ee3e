import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { STORES } from '../support/acceptance-stores.ts';
import { type Json, namesOf, until } from '../support/hall-fixture.ts';

for (const on of STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall();

    describe('the board', () => {
      shared.test(
        'GH-020: the board holds projects, with the waiting and running tasks of each',
        async (fixture) => {
          const shop = await fixture.project({ max_workers: 2 });
          await shop.postAll([{}, { ref: 'a' }, { depends_on: ['a'] }]);
          await (await shop.worker()).claimed();
          const { running, max_workers, open, counts } = await shop.board();
          assert.deepEqual([running, max_workers, open], [1, 2, 3]);
          assert.deepEqual([counts.claimed, counts.available, counts.blocked], [1, 1, 1]);
        },
      );

      shared.test(
        'GH-020: the board holds active workers, with the run of each',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          const find = async () => {
            const { workers } = await fixture.get('/v1/board');
            return workers.find(({ id }: Json) => id === worker.id);
          };
          const shown = await find();
          assert.equal(shown.instance, 'dev-default');
          assert.deepEqual(shown.projects, [shop.name]);
          const run = { id: claim.run, task: claim.task.id, project: shop.name };
          assert.deepEqual(shown.run, { ...run, over_target_since: null });
          await fixture.caller.call('DELETE', `/v1/workers/${worker.id}`);
          assert.equal(await find(), undefined, 'one that left is not active');
        },
      );

      shared.test('GH-020: the board holds tasks, each with its state', async (fixture) => {
        const shop = await fixture.project();
        const tasks = await shop.postAll([{ title: 'one' }, { title: 'two' }]);
        const { tasks: listed } = await fixture.get(`/v1/tasks?project=${shop.name}`);
        assert.deepEqual(
          listed.map(({ id, title, state }: Json) => [id, title, state]).toReversed(),
          [
            [tasks[0], 'one', 'available'],
            [tasks[1], 'two', 'available'],
          ],
        );
      });

      shared.test('GH-020: the board holds completed work, with its results', async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held({ title: 'done already' });
        await worker.complete(claim, { summary: 'it works' });
        const { open, counts } = await shop.board();
        assert.deepEqual([open, counts.completed], [0, 1]);
        const { tasks } = await fixture.get(`/v1/tasks?project=${shop.name}&state=completed`);
        assert.deepEqual([tasks[0].title, tasks[0].summary], ['done already', 'it works']);
      });
    });

    describe('a project', () => {
      shared.test(
        'GH-022: a project runs at most max_workers tasks at once, however many workers claim',
        async (fixture) => {
          const shop = await fixture.project({ max_workers: 3 });
          await shop.postAll(Array.from({ length: 10 }, () => ({})));
          const workers = await Promise.all(Array.from({ length: 10 }, () => shop.worker()));
          const answers = await Promise.all(workers.map((worker) => worker.claim()));
          const granted = answers.filter(({ status }) => status === 200);
          assert.equal(granted.length, 3);
          assert.equal(new Set(granted.map(({ body }) => body.task.id)).size, 3);
          assert.equal((await shop.board()).running, 3);
        },
      );

      shared.test('GH-022: each project has its own max_workers', async (fixture) => {
        const small = await fixture.project({ max_workers: 1 });
        const large = await fixture.project({ max_workers: 2 });
        for (const [project, most] of [
          [small, 1],
          [large, 2],
        ] as const) {
          await project.postAll([{}, {}, {}]);
          const workers = [await project.worker(), await project.worker(), await project.worker()];
          const answers = await Promise.all(workers.map((worker) => worker.claim()));
          assert.equal(answers.filter(({ status }) => status === 200).length, most);
        }
      });

      shared.test(
        'GH-022: max_workers can be raised and lowered during work, and active runs continue',
        async (fixture) => {
          const shop = await fixture.project({ max_workers: 1 });
          await shop.postAll([{}, {}, {}]);
          const path = `/v1/projects/${shop.name}`;
          const [first, second] = [await shop.worker(), await shop.worker()];
          await first.claimed();
          assert.equal((await second.claim()).status, 204);
          await fixture.caller.call('PATCH', path, { max_workers: 2 });
          const held = await second.claimed();
          await fixture.caller.call('PATCH', path, { max_workers: 1 });
          assert.equal((await shop.board()).running, 2);
          await second.complete(held);
          assert.equal((await second.claim()).status, 204);
        },
      );

      shared.test(
        'GH-T06: a project with max_workers 2 blocks the third claim until one of the two runs ends',
        async (fixture) => {
          const shop = await fixture.project({ max_workers: 2 });
          await shop.postAll([{}, {}, {}]);
          const [first, second, third] = [
            await shop.worker(),
            await shop.worker(),
            await shop.worker(),
          ];
          const held = await first.claimed();
          await second.claimed();
          assert.equal((await third.claim()).status, 204);
          const { body } = await third.claim({ explain: true });
          const reason = body.reasons.find(({ project }: Json) => project === shop.name);
          assert.equal(reason.rule, 'project_at_capacity');
          assert.match(reason.because, /runs 2 of 2 workers/);
          await first.complete(held);
          await third.claimed();
        },
      );
    });

    describe('workers', () => {
      shared.test(
        'GH-023 GH-050: a task stays available until a worker claims it',
        async (fixture) => {
          const shop = await fixture.project();
          const [idle, asking] = [await shop.worker(), await shop.worker()];
          const task = await shop.post();
          await idle.heartbeat();
          assert.equal((await fixture.task(task)).state, 'available', 'nobody is given it unasked');
          assert.equal((await asking.claimed()).task.id, task);
        },
      );

      shared.test(
        'GH-023 GH-050: a task cannot be assigned to a worker, and an operator cannot claim for one',
        async (fixture) => {
          const shop = await fixture.project();
          const worker = await shop.worker();
          const task = await shop.post();
          const assignment = { project: shop.name, title: 'x', worker: worker.id };
          assert.equal((await fixture.caller.post('/v1/tasks', assignment)).status, 400);
          const edit = await fixture.caller.call('PATCH', `/v1/tasks/${task}`, {
            worker: worker.id,
          });
          assert.equal(edit.status, 400);
          const claim = await fixture.caller.post('/v1/claims', { worker: worker.id });
          assert.equal(claim.status, 403, 'nor by an operator in its name');
        },
      );

      shared.test(
        'GH-023: workers claim only tasks that they are eligible for',
        async (fixture) => {
          const shop = await fixture.project();
          const review = await shop.post({ skill: 'review' });
          const implement = await shop.post({ type: 'dev' });
          const reviewer = await shop.worker({ instance: 'reviewer-default' });
          const dev = await shop.worker();
          assert.equal((await dev.claimed()).task.id, implement);
          assert.equal((await reviewer.claimed()).task.id, review);
        },
      );

      shared.test(
        'GH-024a: a worker has one task, and a second claim is refused until the first has ended',
        async (fixture) => {
          const shop = await fixture.project();
          await shop.postAll([{}, {}]);
          const worker = await shop.worker();
          const claim = await worker.claimed();
          await worker.mustCall('start', claim);
          const { status, body } = await worker.claim();
          assert.deepEqual([status, body.code], [409, 'worker_busy']);
          assert.equal((await shop.board()).running, 1);
          await worker.complete(claim);
          await worker.claimed();
        },
      );

      shared.test(
        'GH-024a: a worker that claims ten times at once gets one task',
        async (fixture) => {
          const shop = await fixture.project();
          await shop.postAll(Array.from({ length: 10 }, () => ({})));
          const worker = await shop.worker();
          const answers = await Promise.all(Array.from({ length: 10 }, () => worker.claim()));
          assert.equal(new Set(answers.map(({ body }) => body.run)).size, 1);
          assert.equal((await shop.board()).running, 1);
        },
      );

      shared.test(
        'GH-024a: a task that ten workers claim at once goes to one of them',
        async (fixture) => {
          const shop = await fixture.project();
          await shop.post();
          const workers = await Promise.all(Array.from({ length: 10 }, () => shop.worker()));
          const answers = await Promise.all(workers.map((worker) => worker.claim()));
          assert.equal(answers.filter(({ status }) => status === 200).length, 1);
        },
      );

      shared.test(
        'GH-T02: a worker registers, claims and receives an available task, which is marked claimed',
        async (fixture) => {
          const shop = await fixture.project();
          const task = await shop.post({ title: 'the task', body: 'what to do', labels: ['ui'] });
          assert.equal((await fixture.task(task)).state, 'available');
          const worker = await shop.worker();
          const claim = await worker.claimed();
          assert.equal(claim.task.id, task);
          assert.deepEqual(
            [claim.task.title, claim.task.body, claim.task.labels],
            ['the task', 'what to do', ['ui']],
          );
          const shown = await fixture.task(task);
          assert.deepEqual([shown.state, shown.run], ['claimed', claim.run]);
        },
      );

      shared.test(
        'GH-T02: a worker that waits receives a task that is posted meanwhile',
        async (fixture) => {
          const shop = await fixture.project();
          const worker = await shop.worker();
          const waiting = worker.claim({ wait_seconds: 60 });
          const task = await shop.post();
          const { status, body } = await waiting;
          assert.deepEqual([status, body.task.id], [200, task]);
        },
      );

      shared.test(
        'GH-T08: a worker of project A cannot claim tasks of project B',
        async (fixture) => {
          const [a, b] = [await fixture.project(), await fixture.project()];
          const task = await b.post();
          const worker = await a.worker();
          assert.equal((await worker.claim()).status, 204);
          const { body } = await worker.claim({ explain: true });
          const reason = body.reasons.find(({ project }: Json) => project === b.name);
          assert.equal(reason.rule, 'project_not_allowed');
          assert.equal((await worker.caller.get(`/v1/tasks/${task}`)).status, 404);
          const own = await a.post();
          assert.equal((await worker.claimed()).task.id, own);
          assert.equal((await fixture.task(task)).state, 'available');
        },
      );

      shared.test(
        'GH-T11: a heartbeat updates last_seen of a worker, which is in the list of active workers',
        async (fixture) => {
          const shop = await fixture.project();
          const worker = await shop.worker();
          const lastSeen = async () => {
            const { workers } = await fixture.get('/v1/workers');
            return Date.parse(workers.find(({ id }: Json) => id === worker.id)?.last_seen);
          };
          const first = await lastSeen();
          assert.ok(Number.isFinite(first), 'it is in the list');
          const later = await until('a later heartbeat is seen', async () => {
            const { body } = await worker.heartbeat();
            assert.equal(body.orders, 'continue');
            const latest = await lastSeen();
            return latest > first && latest;
          });
          assert.ok(later <= Date.now());
          const { projects } = await fixture.get('/v1/board');
          assert.ok(namesOf(projects).includes(shop.name));
        },
      );
    });
  });
}
