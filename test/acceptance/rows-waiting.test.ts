import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES } from '../support/acceptance-stores.ts';
import type { HallFixture, Json, ProjectFixture } from '../support/hall-fixture.ts';
import { guildhall } from './cli-command.ts';

interface Waits {
  readonly task: string;
  readonly state: string;
  /** Does what the reason says would free the task. */
  readonly free: () => Promise<unknown>;
}

interface Case {
  readonly title: string;
  readonly rule: string;
  readonly frees: RegExp;
  readonly given: (fixture: HallFixture, shop: ProjectFixture) => Promise<Waits>;
  /** The instance that can claim the task once it is free. */
  readonly taker?: string;
}

const PARTS = Array.from({ length: 5 }, (_, n) => ({ title: `part ${n + 1}` }));

/** Every reason why a task can wait, and what ends the wait. */
const CASES: readonly Case[] = [
  {
    title: 'GH-010b: a proposed task shows that it waits for approval',
    rule: 'needs_approval',
    frees: /guildhall task approve t-\d+/,
    given: async (fixture, shop) => {
      const { worker, claim } = await shop.held({ size: 'XL' }, { instance: 'boss-default' });
      await worker.complete(claim, { children: PARTS });
      const { tasks } = await fixture.get(`/v1/tasks?project=${shop.name}&state=proposed`);
      const task = tasks.at(-1).id;
      return { task, state: 'proposed', free: () => fixture.post(`/v1/tasks/${task}/approve`) };
    },
  },
  {
    title: 'GH-010b: a blocked task shows that it waits for its dependency',
    rule: 'waits_for_dependency',
    frees: /the threads it waits for are done/,
    given: async (_scene, shop) => {
      const [, task = ''] = await shop.postAll([{ ref: 'a' }, { depends_on: ['a'] }]);
      const worker = await shop.worker();
      const first = await worker.claimed();
      return { task, state: 'blocked', free: () => worker.complete(first) };
    },
  },
  {
    title: 'GH-010b: a task blocked by a failed one shows how to unblock it',
    rule: 'waits_for_dependency',
    frees: /guildhall task edit t-\d+ --depends-on/,
    given: async (fixture, shop) => {
      const [, task = ''] = await shop.postAll([{ ref: 'a' }, { depends_on: ['a'] }]);
      const worker = await shop.worker();
      await worker.mustCall('report', await worker.claimed(), { outcome: 'failed' });
      const { reasons } = await fixture.get(`/v1/tasks/${task}/why`);
      assert.match(reasons[0].because, /th-\d+ ended without being done/);
      const edit = { depends_on: [] };
      const free = () => fixture.caller.call('PATCH', `/v1/tasks/${task}`, edit);
      return { task, state: 'blocked', free };
    },
  },
  {
    title: 'GH-010b: a deferred task shows until when it waits',
    rule: 'not_due',
    frees: /guildhall task retry t-\d+/,
    given: async (fixture, shop) => {
      const { worker, claim } = await shop.held();
      const resets_at = '2099-01-01T00:00:00.000Z';
      await worker.mustCall('report', claim, { outcome: 'quota_exceeded', resets_at });
      const task = claim.task.id;
      const { reasons } = await fixture.get(`/v1/tasks/${task}/why`);
      assert.equal(reasons[0].until, resets_at);
      return { task, state: 'deferred', free: () => fixture.post(`/v1/tasks/${task}/retry`) };
    },
  },
  {
    title: 'GH-010b: a task that waits for an answer shows the question',
    rule: 'waits_for_answer',
    frees: /guildhall task answer t-\d+/,
    given: async (fixture, shop) => {
      const { worker, claim } = await shop.held();
      await worker.mustCall('ask', claim, { question: 'Red or blue?' });
      const task = claim.task.id;
      const { reasons } = await fixture.get(`/v1/tasks/${task}/why`);
      assert.match(reasons[0].because, /Red or blue\?/);
      const free = () => fixture.post(`/v1/tasks/${task}/answer`, { text: 'Red.' });
      return { task, state: 'awaiting_input', free };
    },
  },
  {
    title: 'GH-010b: a claimed task shows that a run holds it',
    rule: 'held_by_run',
    frees: /guildhall task release t-\d+/,
    given: async (fixture, shop) => {
      const { claim } = await shop.held();
      const task = claim.task.id;
      return { task, state: 'claimed', free: () => fixture.post(`/v1/tasks/${task}/release`) };
    },
  },
  {
    title: 'GH-010b: a running task shows that a run holds it',
    rule: 'held_by_run',
    frees: /the run ends/,
    given: async (fixture, shop) => {
      const { worker, claim } = await shop.held();
      await worker.mustCall('start', claim);
      const free = () => fixture.caller.call('DELETE', `/v1/workers/${worker.id}`);
      return { task: claim.task.id, state: 'running', free };
    },
  },
  {
    title: 'GH-010b: an available task without a worker shows which worker it waits for',
    rule: 'no_worker',
    frees: /a worker of \S+ is registered and claims it/,
    taker: 'reviewer-default',
    given: async (_scene, shop) => {
      const task = await shop.post({ skill: 'review' });
      return { task, state: 'available', free: async () => undefined };
    },
  },
  {
    title: 'GH-010b: a task for a paused instance shows that it is paused',
    rule: 'instance_paused',
    frees: /guildhall agents resume/,
    taker: 'reviewer-default',
    given: async (fixture, shop) => {
      const task = await shop.post({ agent: 'reviewer-default' });
      await fixture.post('/v1/agents/reviewer-default/pause', { because: 'costs' });
      const free = () => fixture.post('/v1/agents/reviewer-default/resume');
      return { task, state: 'available', free };
    },
  },
  {
    title: 'GH-010b: a task in a project at capacity shows that it is full',
    rule: 'project_at_capacity',
    frees: /a run of the project ends/,
    given: async (fixture, shop) => {
      await fixture.caller.call('PATCH', `/v1/projects/${shop.name}`, { max_workers: 1 });
      const { worker, claim } = await shop.held();
      const task = await shop.post();
      return { task, state: 'available', free: () => worker.complete(claim) };
    },
  },
  {
    title: 'GH-010b: a task in a paused project shows who paused it and why',
    rule: 'project_paused',
    frees: /guildhall project resume/,
    given: async (fixture, shop) => {
      const task = await shop.post();
      await fixture.post(`/v1/projects/${shop.name}/pause`, { because: 'main is broken' });
      const { reasons } = await fixture.get(`/v1/tasks/${task}/why`);
      assert.match(reasons[0].because, /is paused by operator:local: main is broken/);
      const free = () => fixture.post(`/v1/projects/${shop.name}/resume`);
      return { task, state: 'available', free };
    },
  },
  {
    title: 'GH-010b: a task in a paused hall shows that it is paused',
    rule: 'hall_paused',
    frees: /guildhall resume/,
    given: async (fixture, shop) => {
      const task = await shop.post();
      await fixture.post('/v1/pause');
      return { task, state: 'available', free: () => fixture.post('/v1/resume') };
    },
  },
  {
    title: 'GH-010b: a task in a draining hall shows that it drains',
    rule: 'hall_draining',
    frees: /guildhall resume/,
    given: async (fixture, shop) => {
      const task = await shop.post();
      await fixture.post('/v1/drain');
      return { task, state: 'available', free: () => fixture.post('/v1/resume') };
    },
  },
  {
    title: 'GH-010b: a task in a thread that was handed over shows that a person has it',
    rule: 'thread_handed_over',
    frees: /guildhall thread handback th-\d+/,
    given: async (fixture, shop) => {
      const task = await shop.post();
      const { thread } = await fixture.task(task);
      await fixture.post(`/v1/threads/${thread}/handover`);
      const free = () => fixture.post(`/v1/threads/${thread}/handback`);
      return { task, state: 'available', free };
    },
  },
];

for (const on of API_STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall();

    describe('waiting tasks', () => {
      for (const { title, rule, frees, taker = 'dev-default', given } of CASES) {
        shared.test(title, async (fixture) => {
          const began = Date.now();
          const shop = await fixture.project();
          const { task, state, free } = await given(fixture, shop);
          const why = await fixture.get(`/v1/tasks/${task}/why`);
          const since = Date.parse(why.since);
          assert.equal(why.state, state);
          assert.equal(why.claimable, false);
          assert.ok(since >= began - 1_000 && since <= Date.now(), why.since);
          const reason =
            why.reasons.find((each: Json) => each.rule === rule) ??
            why.takers
              .flatMap(({ reasons }: Json) => reasons)
              .find((each: Json) => each.rule === rule);
          assert.ok(reason, JSON.stringify(why));
          assert.notEqual(reason.because, '');
          assert.match(reason.frees, frees);
          assert.deepEqual(
            (await fixture.taskDetail(task)).why,
            why,
            'and the task itself shows it',
          );

          await free();
          const worker = await shop.worker({ instance: taker });
          assert.equal((await worker.claimed()).task.id, task, 'what frees it does');
        });
      }
    });

    describe('why a task is not running', () => {
      shared.test('X-003a: task why lists every rule that is not met', async (fixture) => {
        const shop = await fixture.project({ max_workers: 1 });
        const { claim } = await shop.held();
        const task = await shop.post({ depends_on: [claim.task.id] });
        await fixture.post(`/v1/projects/${shop.name}/pause`);
        const { reasons } = await fixture.get(`/v1/tasks/${task}/why`);
        assert.deepEqual(
          reasons.map(({ rule }: Json) => rule),
          ['waits_for_dependency', 'project_paused', 'worker_busy'],
        );
      });

      shared.test(
        'X-003a: task why shows that no invoker pays for a worker without its own model',
        async (fixture) => {
          const shop = await fixture.project();
          const task = await shop.post();
          const worker = await shop.worker({ brings_model: false });
          const { body } = await worker.claim({ explain: true });
          assert.ok(body.reasons.some(({ rule }: Json) => rule === 'no_invoker'));
          const { takers } = await fixture.get(`/v1/tasks/${task}/why`);
          const payless = takers[0].reasons.find(({ rule }: Json) => rule === 'no_invoker');
          assert.match(payless.because, /declare one under `invokers:`/);
        },
      );

      shared.test(
        'X-003a: task why shows that only a worker is missing, and how many tasks come first',
        async (fixture) => {
          const shop = await fixture.project();
          const tasks = await shop.postAll([{}, {}, {}]);
          await shop.worker();
          for (const [ahead, task] of tasks.entries()) {
            const why = await fixture.get(`/v1/tasks/${task}/why`);
            assert.equal(why.ahead, ahead);
            assert.deepEqual(
              why.reasons.map(({ rule }: Json) => rule),
              ['no_worker'],
            );
            assert.deepEqual(
              why.takers.map(({ instance }: Json) => instance),
              ['dev-default'],
            );
          }
        },
      );

      shared.test(
        'X-003a: a worker that gets no task is told why, per project',
        async (fixture) => {
          const shop = await fixture.project();
          await fixture.post(`/v1/projects/${shop.name}/pause`);
          const worker = await shop.worker();
          const { status, body } = await worker.claim({ explain: true });
          assert.equal(status, 200);
          const own = body.reasons.find(({ project }: Json) => project === shop.name);
          assert.equal(own.rule, 'project_paused');
        },
      );

      shared.test('X-003a: is the same on the command line, in words and JSON', async (fixture) => {
        const shop = await fixture.project();
        const [, task = ''] = await shop.postAll([{ ref: 'a' }, { depends_on: ['a'] }]);
        const around = { cwd: fixture.hall.folder };
        const ask = ['task', 'why', task, '--config', fixture.hall.config];
        const words = await guildhall(ask, around);
        assert.equal(words.code, 0, words.stderr);
        assert.match(words.stdout, new RegExp(`^${task} is blocked since `));
        assert.match(
          words.stdout,
          /waits_for_dependency: it waits for t-\d+ "task 1" \(th-\d+\): th-\d+ is not done/,
        );
        assert.match(words.stdout, /unblocked when the threads it waits for are done/);
        const json = await guildhall([...ask, '--json'], around);
        assert.deepEqual(JSON.parse(json.stdout), await fixture.get(`/v1/tasks/${task}/why`));
      });

      shared.test(
        'X-003a: task why is the same on the command line, as text and as JSON',
        async (fixture) => {
          const shop = await fixture.project();
          const [, task = ''] = await shop.postAll([{ ref: 'a' }, { depends_on: ['a'] }]);
          const options = { cwd: fixture.hall.folder };
          const args = ['task', 'why', task, '--config', fixture.hall.config];
          const text = await guildhall(args, options);
          assert.equal(text.code, 0, text.stderr);
          assert.match(text.stdout, new RegExp(`^${task} is blocked since `));
          assert.match(
            text.stdout,
            /waits_for_dependency: it waits for t-\d+ "task 1" \(th-\d+\): th-\d+ is not done/,
          );
          assert.match(text.stdout, /unblocked when the threads it waits for are done/);
          const json = await guildhall([...args, '--json'], options);
          assert.deepEqual(JSON.parse(json.stdout), await fixture.get(`/v1/tasks/${task}/why`));
        },
      );

      shared.test('X-003a: the commands that task why names work as printed', async (fixture) => {
        const shop = await fixture.project();
        const frees: string[] = [];
        for (const rule of ['not_due', 'held_by_run', 'thread_handed_over', 'project_paused']) {
          const { given } = CASES.find((each) => each.rule === rule) ?? assert.fail(rule);
          const { task } = await given(fixture, shop);
          const { reasons } = await fixture.get(`/v1/tasks/${task}/why`);
          frees.push(reasons.find((each: Json) => each.rule === rule).frees);
        }
        for (const text of frees) {
          const [, command = ''] = /guildhall ([\w -]+)/.exec(text) ?? [];
          const args = [...command.split(' '), '--config', fixture.hall.config];
          const { code, stderr } = await guildhall(args, { cwd: fixture.hall.folder });
          assert.equal(code, 0, `${command}: ${stderr}`);
        }
        const worker = await shop.worker();
        for (let left = 3; left > 0; left -= 1) await worker.complete(await worker.claimed());
      });

      shared.test('X-003a: task why says how an ended task ended', async (fixture) => {
        const shop = await fixture.project();
        const task = await shop.post();
        await fixture.post(`/v1/tasks/${task}/cancel`);
        const { status, body } = await fixture.caller.get(`/v1/tasks/${task}/why`);
        assert.deepEqual([status, body.state], [200, 'cancelled']);
        assert.deepEqual(
          body.reasons.map(({ rule }: { rule: string }) => rule),
          ['task_closed'],
        );
        assert.equal((await fixture.taskDetail(task)).why, null);
      });
    });
  });
}
