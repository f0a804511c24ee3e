import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES, STORES } from '../support/acceptance-stores.ts';
import {
  type Claim,
  type HallFixture,
  type Json,
  type ProjectFixture,
  until,
  type WorkerFixture,
} from '../support/hall-fixture.ts';

/** Every call that a worker can make about a run. */
const RUN_CALLS: Readonly<Record<string, object>> = {
  start: {},
  log: { entries: ['from the past'] },
  usage: { input_tokens: 9, output_tokens: 9, cost_usd: 9 },
  note: { text: 'from the past' },
  ask: { question: 'from the past?' },
  report: {
    outcome: 'pr_created',
    summary: 'from the past',
    branch: 'stale/branch',
    commit: 'bad0bad',
    pr: { number: 666, url: 'https://forge.example/pull/666' },
  },
};

/** Makes every call, each of which must be refused. */
async function assertRefused(
  worker: WorkerFixture,
  lease: Pick<Claim, 'run' | 'fence'>,
  status: number,
) {
  for (const [verb, content] of Object.entries(RUN_CALLS)) {
    const answer = await worker.call(verb, lease, content);
    assert.equal(answer.status, status, `${verb}: ${JSON.stringify(answer.body)}`);
    if (status === 409) assert.equal(answer.body.code, 'stale_fence');
  }
}

/** A worker whose task was released by an operator, and the worker that has it now. */
async function replaced(fixture: HallFixture, shop: ProjectFixture) {
  const { worker, claim } = await shop.held();
  await worker.mustCall('start', claim);
  await fixture.post(`/v1/tasks/${claim.task.id}/release`);
  const next = await shop.worker();
  const now = await next.claimed();
  assert.equal(now.task.id, claim.task.id);
  return { old: worker, stale: claim, next, now };
}

for (const on of STORES) {
  describe(`a worker that lost its lease, on ${on.store}`, () => {
    const shared = on.sharedHall();

    shared.test(
      'X-015a: a worker that lost its lease changes nothing on the board',
      async (fixture) => {
        const shop = await fixture.project();
        const { old, stale, now } = await replaced(fixture, shop);
        // Not all events: the hall records some by itself, such as the start of a week.
        const recorded = () => fixture.get(`/v1/events?project=${shop.name}&limit=1000`);
        const before = await recorded();
        assert.ok(before.events.length > 0);
        await assertRefused(old, stale, 409);
        assert.deepEqual(await recorded(), before, 'nothing was recorded');
        const task = await fixture.task(stale.task.id);
        assert.deepEqual([task.state, task.run], ['claimed', now.run]);
      },
    );

    shared.test(
      'X-015c: a worker that lost its lease changes no branch, pull request or note of the thread',
      async (fixture) => {
        const shop = await fixture.project();
        const { old, stale } = await replaced(fixture, shop);
        const before = await fixture.get(`/v1/threads/${stale.task.thread}`);
        await assertRefused(old, stale, 409);
        const after = await fixture.get(`/v1/threads/${stale.task.thread}`);
        assert.deepEqual(after, before);
        assert.deepEqual([after.thread.branch, after.thread.pr, after.notes], [null, null, []]);
      },
    );

    shared.test(
      'X-015a: a worker that lost its lease changes no transcript, neither of its run nor of the next',
      async (fixture) => {
        const shop = await fixture.project();
        const { old, stale, now } = await replaced(fixture, shop);
        await assertRefused(old, stale, 409);
        for (const run of [stale.run, now.run]) {
          assert.deepEqual((await fixture.get(`/v1/runs/${run}/transcript`)).entries, []);
        }
        assert.equal((await fixture.get(`/v1/runs/${stale.run}`)).usage.cost_usd, 0);
      },
    );

    shared.test(
      'X-015a: a worker that lost its lease cannot use the next run with any fence',
      async (fixture) => {
        const shop = await fixture.project();
        const { old, stale, next, now } = await replaced(fixture, shop);
        await assertRefused(old, { run: now.run, fence: now.fence }, 403);
        for (const fence of [stale.fence, now.fence - 1, now.fence + 1, 0]) {
          await assertRefused(next, { run: now.run, fence }, 409);
        }
        await next.complete(now);
      },
    );

    shared.test('every claim of a task has a higher fence', async (fixture) => {
      const shop = await fixture.project();
      const { worker, claim } = await shop.held();
      let last = claim.fence;
      for (let times = 0; times < 5; times += 1) {
        await fixture.post(`/v1/tasks/${claim.task.id}/release`);
        const { fence } = await worker.claimed();
        assert.ok(fence > last);
        last = fence;
      }
    });

    shared.test(
      'a worker that lost its lease is told to stop by its heartbeat',
      async (fixture) => {
        const shop = await fixture.project();
        const { old, stale } = await replaced(fixture, shop);
        const { orders } = (await old.heartbeat({ run: stale.run, fence: stale.fence })).body;
        assert.equal(orders, 'stop');
      },
    );

    for (const { title, lose } of [
      {
        title: 'X-015a: a worker whose task was cancelled changes nothing',
        lose: (fixture: HallFixture, { task }: Claim) =>
          fixture.post(`/v1/tasks/${task.id}/cancel`),
      },
      {
        title: 'X-015a: a worker whose thread was handed over to a person changes nothing',
        lose: (fixture: HallFixture, { task }: Claim) =>
          fixture.post(`/v1/threads/${task.thread}/handover`),
      },
    ]) {
      shared.test(title, async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        await lose(fixture, claim);
        const before = await fixture.taskDetail(claim.task.id);
        await assertRefused(worker, claim, 409);
        assert.deepEqual(await fixture.taskDetail(claim.task.id), before);
      });
    }

    shared.test('X-015a: a worker that has reported changes nothing more', async (fixture) => {
      const shop = await fixture.project();
      const { worker, claim } = await shop.held();
      await worker.complete(claim, { summary: 'the last word' });
      await assertRefused(worker, claim, 409);
      const { task, thread } = await fixture.taskDetail(claim.task.id);
      assert.deepEqual([task.summary, thread.branch], ['the last word', null]);
    });

    shared.test(
      'X-015a: a dismissed worker can neither change anything nor claim',
      async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        await fixture.caller.call('DELETE', `/v1/workers/${worker.id}`);
        await assertRefused(worker, claim, 401);
        assert.equal((await worker.claim()).status, 401);
      },
    );
  });
}

for (const on of API_STORES) {
  describe(`a worker that lost its lease by silence, on ${on.store}`, () => {
    // Long enough that no worker falls silent between registering and claiming on a stalled machine.
    const shared = on.sharedHall({ hall: { dead_after_seconds: 10, heartbeat_seconds: 0.2 } });

    shared.test(
      'X-015a: a worker that comes back after its lease expired changes nothing',
      async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        await until('it counts as dead', async () => {
          return (await fixture.task(claim.task.id)).state === 'available';
        });
        const before: Json = await fixture.taskDetail(claim.task.id);
        await assertRefused(worker, claim, 401);
        assert.deepEqual(await fixture.taskDetail(claim.task.id), before);
      },
    );
  });
}
