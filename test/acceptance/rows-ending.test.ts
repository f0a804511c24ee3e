import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES } from '../support/acceptance-stores.ts';
import type { HallFixture, Json, ProjectFixture, WorkerFixture } from '../support/hall-fixture.ts';

const CODES = [
  'underspecified',
  'out_of_scope',
  'too_large',
  'duplicate',
  'blocked',
  'unsafe',
] as const;

const REJECTION = {
  reason_code: 'underspecified',
  message: 'which tax?',
  missing: ['the rate', 'the countries'],
  questions: ['Which rate?'],
  suggested_size: 'S',
};

/** Makes every call that could change a task, each of which must be refused. */
async function assertUnchangeable(
  fixture: HallFixture,
  worker: WorkerFixture,
  claim: Json,
): Promise<void> {
  const path = `/v1/tasks/${claim.task.id}`;
  for (const verb of ['cancel', 'retry', 'release']) {
    assert.equal((await fixture.caller.post(`${path}/${verb}`)).status, 409, verb);
  }
  assert.equal((await fixture.caller.post(`${path}/answer`, { text: 'x' })).status, 409);
  assert.equal((await fixture.caller.call('PATCH', path, { title: 'x' })).status, 409);
  assert.equal((await worker.call('report', claim, { outcome: 'completed' })).status, 409);
}

for (const on of API_STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall();

    describe('how a task ends', () => {
      shared.test('GH-010a: a completed task shows its outcome and summary', async (fixture) => {
        const shop = await fixture.project();
        for (const outcome of ['completed', 'comment_posted', 'rerouted']) {
          const { worker, claim } = await shop.held();
          await worker.mustCall('report', claim, { outcome, summary: `by ${outcome}` });
          const task = await fixture.task(claim.task.id);
          assert.equal(task.state, 'completed');
          assert.equal(task.outcome, outcome);
          assert.equal(task.summary, `by ${outcome}`);
        }
      });

      shared.test(
        'GH-010a: a failed task shows its outcome and what went wrong',
        async (fixture) => {
          const shop = await fixture.project();
          for (const outcome of ['failed', 'max_turns_exceeded']) {
            const { worker, claim } = await shop.held();
            await worker.mustCall('report', claim, { outcome, summary: 'the tests never pass' });
            const task = await fixture.task(claim.task.id);
            assert.equal(task.state, 'failed');
            assert.equal(task.outcome, outcome);
            assert.equal(task.summary, 'the tests never pass');
          }
        },
      );

      shared.test('GH-010a: a rejected task shows the code and the message', async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        await worker.mustCall('report', claim, { outcome: 'rejected', rejection: REJECTION });
        const task = await fixture.task(claim.task.id);
        assert.equal(task.state, 'rejected');
        assert.equal(task.rejection.reason_code, 'underspecified');
        assert.equal(task.rejection.message, 'which tax?');
      });

      shared.test('GH-010a: a cancelled task shows who cancelled it and why', async (fixture) => {
        const shop = await fixture.project();
        const cases = [
          [{ because: 'not wanted any more' }, 'not wanted any more'],
          [{ because: '' }, 'operator:local gave no reason'],
          [{}, 'cancelled by an operator'],
        ] as const;
        for (const [body, summary] of cases) {
          const id = await shop.post();
          await fixture.post(`/v1/tasks/${id}/cancel`, body);
          const task = await fixture.task(id);
          assert.deepEqual([task.state, task.cancelled_by], ['cancelled', 'operator:local']);
          assert.equal(task.summary, summary);
        }
      });

      shared.test(
        'GH-010a: a task ends with a reason even if the worker gives none',
        async (fixture) => {
          const shop = await fixture.project();
          for (const outcome of ['completed', 'failed', 'max_turns_exceeded']) {
            const { worker, claim } = await shop.held();
            await worker.mustCall('report', claim, { outcome });
            const task = await fixture.task(claim.task.id);
            assert.equal(task.outcome, outcome);
            assert.notEqual(task.summary, '', outcome);
          }
          const { worker, claim } = await shop.held();
          const empty = { outcome: 'rejected', rejection: { reason_code: 'unsafe', message: ' ' } };
          assert.equal((await worker.call('report', claim, empty)).status, 400);
        },
      );

      shared.test(
        'GH-010a: an ended task cannot be changed by an operator or a worker',
        async (fixture) => {
          const shop = await fixture.project();
          const endings = [
            { outcome: 'completed', summary: 'done' },
            { outcome: 'failed', summary: 'broken' },
            { outcome: 'rejected', rejection: REJECTION },
          ];
          for (const ending of endings) {
            const { worker, claim } = await shop.held();
            await worker.mustCall('report', claim, ending);
            const before = await fixture.taskDetail(claim.task.id);
            await assertUnchangeable(fixture, worker, claim);
            assert.deepEqual(await fixture.taskDetail(claim.task.id), before);
          }
          const { worker, claim } = await shop.held();
          await fixture.post(`/v1/tasks/${claim.task.id}/cancel`);
          await assertUnchangeable(fixture, worker, claim);
          assert.equal((await fixture.task(claim.task.id)).state, 'cancelled');
        },
      );

      shared.test(
        'GH-010a: tasks that were blocked, deferred, released or waiting for an answer end too',
        async (fixture) => {
          const shop = await fixture.project();
          const tasks = await shop.postAll([
            { title: 'asks', ref: 'a' },
            { title: 'waits for the first', depends_on: ['a'] },
            { title: 'is deferred' },
            { title: 'is released' },
          ]);
          const worker = await shop.worker();
          const asking = await worker.claimed();
          await worker.mustCall('ask', asking, { question: 'Which?' });
          const deferred = await worker.claimed();
          await worker.mustCall('report', deferred, { outcome: 'quota_exceeded' });
          const released = await worker.claimed();
          await fixture.post(`/v1/tasks/${released.task.id}/release`);
          await fixture.post(`/v1/tasks/${asking.task.id}/answer`, { text: 'This one.' });
          await fixture.post(`/v1/tasks/${deferred.task.id}/retry`);
          for (let left = tasks.length; left > 0; left -= 1) {
            await worker.complete(await worker.claimed());
          }
          const { open, counts } = await shop.board();
          assert.deepEqual([open, counts.completed], [0, 4]);
        },
      );
    });

    describe('a report', () => {
      shared.test(
        'GH-025: a report of success carries summary, branch, commit, pull request and details',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          const report = {
            outcome: 'pr_created',
            summary: 'prices show tax',
            branch: 'hall/dev/issue-1',
            commit: 'abc1234',
            pr: { number: 7, url: 'https://forge.example/pull/7' },
            details: 'ran 12 tests',
          };
          await worker.mustCall('report', claim, report);
          const { task, runs, thread } = await fixture.taskDetail(claim.task.id);
          assert.equal(task.state, 'completed');
          const { how, at: _at, ...results } = runs[0].ending;
          assert.equal(how, 'completed');
          assert.deepEqual(results, report);
          assert.equal(thread.branch, report.branch);
          assert.deepEqual(thread.pr, { ...report.pr, state: 'open' });
        },
      );

      shared.test(
        'GH-025: a report of failure carries its reason, branch, commit and details',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          const report = {
            outcome: 'failed',
            summary: 'the build is broken',
            branch: 'hall/dev/issue-2',
            commit: 'def5678',
            details: 'make: *** Error 1',
          };
          await worker.mustCall('report', claim, report);
          const { task, runs } = await fixture.taskDetail(claim.task.id);
          assert.equal(task.state, 'failed');
          const { how, at: _at, pr, ...results } = runs[0].ending;
          assert.deepEqual([how, pr], ['failed', null]);
          assert.deepEqual(results, report);
        },
      );

      shared.test(
        'GH-025: a rejection carries its reason, what is missing and its questions',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          await worker.mustCall('report', claim, { outcome: 'rejected', rejection: REJECTION });
          const { task, runs } = await fixture.taskDetail(claim.task.id);
          assert.equal(task.state, 'rejected');
          assert.equal(runs[0].ending.how, 'rejected');
          assert.deepEqual(runs[0].ending.rejection, REJECTION);
        },
      );

      shared.test(
        'GH-025: a question waits for its answer, and the next run gets both',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          const asked = await worker.mustCall('ask', claim, {
            question: 'Round up?',
            session: 's-1',
          });
          assert.equal(asked.state, 'awaiting_input');
          const { task, runs } = await fixture.taskDetail(claim.task.id);
          assert.deepEqual([task.state, task.question], ['awaiting_input', 'Round up?']);
          assert.deepEqual([runs[0].ending.how, runs[0].ending.session], ['asked', 's-1']);
          assert.equal((await worker.claim()).status, 204);

          await fixture.post(`/v1/tasks/${claim.task.id}/answer`, { text: 'To the cent.' });
          const next = await worker.claimed();
          assert.equal(next.task.id, claim.task.id);
          assert.deepEqual(
            next.task.notes.map(({ kind, text }: Json) => [kind, text]),
            [
              ['question', 'Round up?'],
              ['answer', 'To the cent.'],
            ],
          );
          assert.equal(next.task.previous[0].ending.session, 's-1');
        },
      );

      shared.test(
        'GH-T03: a completed task is visible in the history with its result',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held({ title: 'Show prices' });
          await worker.mustCall('start', claim);
          await worker.complete(claim, { summary: 'prices show tax' });
          const events = await fixture.events(claim.task.id);
          assert.deepEqual(
            events.map(({ type }) => type),
            ['TaskPosted', 'RunClaimed', 'RunStarted', 'RunEnded'],
          );
          assert.equal(events.at(-1).facts.state, 'completed');
          assert.equal(events.at(-1).facts.ending.summary, 'prices show tax');
          const { tasks } = await fixture.get(`/v1/tasks?project=${shop.name}&state=completed`);
          assert.deepEqual(
            tasks.map(({ title, summary }: Json) => [title, summary]),
            [['Show prices', 'prices show tax']],
          );
        },
      );

      shared.test(
        'GH-T04: an under-specified task is rejected with a reason and not retried',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          const { state } = await worker.mustCall('report', claim, {
            outcome: 'rejected',
            rejection: REJECTION,
          });
          assert.equal(state, 'rejected');
          const task = await fixture.task(claim.task.id);
          assert.deepEqual([task.state, task.rejection], ['rejected', REJECTION]);
          assert.equal((await worker.claim()).status, 204, 'it is not tried again');
          assert.equal((await fixture.caller.post(`/v1/tasks/${claim.task.id}/retry`)).status, 409);
          assert.equal((await shop.board()).counts.rejected, 1);
        },
      );
    });

    describe('a rejection', () => {
      shared.test(
        'GH-080a: a rejection carries code, message, what is missing, questions and a suggested size',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          await worker.mustCall('report', claim, { outcome: 'rejected', rejection: REJECTION });
          assert.deepEqual((await fixture.task(claim.task.id)).rejection, REJECTION);
          const events = await fixture.events(claim.task.id);
          assert.deepEqual(events.at(-1).facts.ending.rejection, REJECTION);
        },
      );

      shared.test(
        'GH-080a: a rejection without a known code and a message is refused',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          for (const rejection of [
            { reason_code: 'lazy', message: 'no' },
            { reason_code: 'unsafe' },
            { reason_code: 'unsafe', message: '' },
            { message: 'no' },
            { ...REJECTION, suggested_size: 'huge' },
          ]) {
            const report = { outcome: 'rejected', rejection };
            assert.equal((await worker.call('report', claim, report)).status, 400);
          }
          assert.equal((await worker.call('report', claim, { outcome: 'rejected' })).status, 400);
          assert.equal((await fixture.task(claim.task.id)).state, 'claimed');
        },
      );

      shared.test(
        'GH-080b: rejections are counted by code, per project and in total',
        async (fixture) => {
          const [shop, site] = [await fixture.project(), await fixture.project()];
          const before = (await fixture.get('/v1/stats')).totals.rejections;
          for (const [n, reason_code] of CODES.entries()) {
            for (let times = 0; times <= n; times += 1) await reject(shop, reason_code);
          }
          await reject(site, 'unsafe');
          const stats = await fixture.get('/v1/stats');
          const of = (name: string) => stats.projects.find((each: Json) => each.name === name);
          assert.deepEqual(
            of(shop.name).rejections,
            Object.fromEntries(CODES.map((code, n) => [code, n + 1])),
          );
          assert.equal(of(shop.name).rejected, 21);
          assert.deepEqual(of(site.name).rejections, { unsafe: 1 });
          assert.equal(stats.totals.rejections.unsafe - (before.unsafe ?? 0), 7);
        },
      );
    });
  });
}

async function reject(project: ProjectFixture, reason_code: string): Promise<void> {
  const { worker, claim } = await project.held();
  const rejection = { reason_code, message: 'no' };
  await worker.mustCall('report', claim, { outcome: 'rejected', rejection });
}
