import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningHall, startHall } from '../support/hall.ts';

let hall: RunningHall;

before(async () => {
  hall = await startHall({ projects: { shop: {}, site: {} } });
});

after(() => hall[Symbol.asyncDispose]());

async function ids(query: string): Promise<readonly string[]> {
  const { status, body } = await hall.caller.get(`/v1/tasks?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.tasks.map(({ id }: { id: string }) => id);
}

describe('posting tasks', () => {
  test('posting a task returns its id, thread and state', async () => {
    const { status, body } = await hall.caller.post('/v1/tasks', {
      project: 'shop',
      title: 'Show prices with tax',
      size: 'xs',
      labels: ['ui'],
    });
    assert.equal(status, 201);
    const [{ id, thread, state }] = body.tasks;
    assert.match(id, /^t-\d+$/);
    assert.match(thread, /^th-\d+$/);
    assert.equal(state, 'available');
    const { body: detail } = await hall.caller.get(`/v1/tasks/${id}`);
    assert.equal(detail.task.size, 'XS');
    assert.deepEqual(detail.task.labels, ['ui']);
    assert.equal(detail.task.posted_by, 'operator:local');
    assert.equal(detail.task.skill, 'implement');
  });

  test('a posted task that depends on another one is blocked', async () => {
    const { body } = await hall.caller.post('/v1/tasks', [
      { project: 'shop', title: 'second', depends_on: ['first'] },
      { project: 'shop', title: 'first', ref: 'first' },
    ]);
    assert.deepEqual(
      body.tasks.map(({ state }: { state: string }) => state),
      ['blocked', 'available'],
    );
    const [second, first] = body.tasks;
    const { body: third } = await hall.caller.post('/v1/tasks', {
      project: 'shop',
      title: 'third',
      depends_on: [second.id, first.thread],
    });
    assert.equal(third.tasks[0].state, 'blocked');
    const { body: detail } = await hall.caller.get(`/v1/tasks/${third.tasks[0].id}`);
    assert.deepEqual(
      detail.dependencies.map(({ id }: { id: string }) => id).sort(),
      [first.thread, second.thread].sort(),
    );
  });

  test('either all tasks of a request are posted or none, and every mistake is listed', async () => {
    const before = (await ids('project=shop')).length;
    const { status, body } = await hall.caller.post('/v1/tasks', [
      { project: 'shop', title: 'fine' },
      { project: 'shop', title: 'x', depends_on: ['t-999999', 'nothing'] },
      { project: 'shop', title: 'x', agent: 'nobody' },
    ]);
    assert.equal(status, 422);
    assert.equal(body.code, 'bad_dependency');
    assert.deepEqual(
      body.mistakes.map(({ path }: { path: string }) => path),
      ['[1].depends_on[0]', '[1].depends_on[1]', '[2].agent'],
    );
    assert.equal((await ids('project=shop')).length, before);
  });

  test('a mistake in a posted task is named by its position in the request, even in a list of one', async () => {
    const wrong = { project: 'shop', title: 'x', agent: 'nobody' };
    for (const [sent, path] of [
      [wrong, 'agent'],
      [[wrong], '[0].agent'],
    ] as const) {
      const { body } = await hall.caller.post('/v1/tasks', sent);
      assert.equal(body.mistakes[0].path, path);
    }
  });

  test('a task with an unknown skill is accepted with a warning', async () => {
    const { status, body } = await hall.caller.post('/v1/tasks', [
      { project: 'site', title: 'x', skill: 'fix-ci' },
      { project: 'site', title: 'x', skill: 'reviev' },
    ]);
    assert.equal(status, 201);
    const [{ path, message }, ...more] = body.warnings;
    assert.equal(path, '[1].skill');
    assert.match(message, /reviev is not a built-in skill, did you mean review\?/);
    assert.deepEqual(more, []);
    for (const { id } of body.tasks) await hall.caller.post(`/v1/tasks/${id}/cancel`);
  });

  test('a dependency cycle is refused and shown', async () => {
    const { status, body } = await hall.caller.post('/v1/tasks', [
      { project: 'shop', title: 'a', ref: 'a', depends_on: ['b'] },
      { project: 'shop', title: 'b', ref: 'b', depends_on: ['a'] },
    ]);
    assert.equal(status, 422);
    assert.equal(body.code, 'dependency_cycle');
    assert.match(body.detail, /a → b → a/);
  });

  test('a dependency across projects, a duplicate ref and a ref that looks like an id are refused', async () => {
    const [elsewhere] = await hall.post({ project: 'site' });
    const across = { project: 'shop', title: 'x', depends_on: [elsewhere] };
    assert.equal((await hall.caller.post('/v1/tasks', across)).status, 422);
    const twice = [1, 2].map((n) => ({ project: 'shop', title: `x${n}`, ref: 'x' }));
    assert.equal((await hall.caller.post('/v1/tasks', twice)).status, 409);
    const sly = { project: 'shop', title: 'x', ref: 't-1' };
    assert.equal((await hall.caller.post('/v1/tasks', sly)).status, 400);
  });

  test('editing dependencies lists every unknown one, and counts a repeated one once', async () => {
    const [first, second] = await hall.post([
      { project: 'shop', title: 'first' },
      { project: 'shop', title: 'second' },
    ]);
    const edit = (depends_on: readonly (string | undefined)[]) =>
      hall.caller.call('PATCH', `/v1/tasks/${second}`, { depends_on });
    const { status, body } = await edit([first, 't-999998', 't-999999']);
    assert.deepEqual([status, body.code], [422, 'bad_dependency']);
    const expected = [1, 2].map((n) => ({
      path: `depends_on[${n}]`,
      message: `t-99999${n + 7} does not exist`,
    }));
    assert.deepEqual(body.mistakes, expected);
    assert.equal((await edit([first, first])).status, 200);
    const { thread } = (await hall.caller.get(`/v1/tasks/${second}`)).body;
    assert.equal(thread.depends_on.length, 1);
  });

  test('a task that depends on a completed task is available at once', async () => {
    const worker = await hall.worker({ projects: ['site'] });
    const [done] = await hall.post({ project: 'site', title: 'done' });
    for (;;) {
      const { status, body } = await worker.caller.post('/v1/claims', { worker: worker.id });
      if (status === 204) break;
      const report = { fence: body.fence, outcome: 'completed', summary: 'ok' };
      await worker.caller.post(`/v1/runs/${body.run}/report`, report);
    }
    const { body } = await hall.caller.post('/v1/tasks', {
      project: 'site',
      title: 'after',
      depends_on: [done],
    });
    assert.equal(body.tasks[0].state, 'available');
  });
});

describe('why a task is not running', () => {
  test('X-003a GH-010b: task why names each rule, since when it applies and what would free the task', async () => {
    const [first, second] = await hall.post([
      { ref: 'a', title: 'a' },
      { title: 'b', depends_on: ['a'] },
    ]);
    const { body } = await hall.caller.get(`/v1/tasks/${second}/why`);
    assert.equal(body.state, 'blocked');
    assert.equal(body.claimable, false);
    assert.ok(Date.parse(body.since) <= Date.now());
    const [reason] = body.reasons;
    assert.equal(reason.rule, 'waits_for_dependency');
    assert.match(reason.because, /is not done/);
    assert.match(reason.frees, new RegExp(`guildhall task edit ${second}`));
    const { body: detail } = await hall.caller.get(`/v1/tasks/${first}`);
    assert.equal(detail.why.state, 'available');
  });

  test('an operation that does not fit the state of a task is refused, and the refusal says what can be done', async () => {
    const [task] = await hall.post();
    for (const [verb, body, code] of [
      ['release', {}, 'task_not_held'],
      ['retry', undefined, 'task_not_deferred'],
      ['answer', { text: 'yes' }, 'task_not_waiting_for_answer'],
      ['reopen', undefined, 'task_not_closed'],
    ] as const) {
      const { status, body: problem } = await hall.caller.post(`/v1/tasks/${task}/${verb}`, body);
      assert.deepEqual([status, problem.code], [409, code]);
      assert.match(
        problem.detail,
        new RegExp(`${task} is available; see what it is waiting for: guildhall task why ${task}`),
      );
    }
    await hall.caller.post(`/v1/tasks/${task}/cancel`);
    const { body: late } = await hall.caller.post(`/v1/tasks/${task}/cancel`);
    assert.match(
      late.detail,
      new RegExp(`is cancelled; reopen it as a new task with: guildhall task reopen ${task}`),
    );
  });

  test('task why says how a task ended and what can be done, and refuses an unknown one', async () => {
    const [task] = await hall.post();
    await hall.caller.post(`/v1/tasks/${task}/cancel`);
    const { body: ended } = await hall.caller.get(`/v1/tasks/${task}/why`);
    const [{ rule, because, frees }] = ended.reasons;
    assert.deepEqual([ended.state, rule], ['cancelled', 'task_closed']);
    assert.match(`${because}; ${frees}`, /^it is cancelled: .*: guildhall task reopen t-\d+$/);
    assert.equal((await hall.caller.get('/v1/tasks/t-999999/why')).status, 404);
    assert.equal((await hall.caller.get(`/v1/tasks/${task}`)).body.why, null);
  });
});

describe('operations on a task', () => {
  test('X-005a: a waiting task can be edited', async () => {
    const [first, second] = await hall.post([{ title: 'a' }, { title: 'b' }]);
    const { status, body } = await hall.caller.call('PATCH', `/v1/tasks/${second}`, {
      title: 'better',
      body: 'more words',
      labels: ['security'],
      size: 'l',
      depends_on: [first],
    });
    assert.equal(status, 200);
    assert.equal(body.state, 'blocked');
    const { task } = (await hall.caller.get(`/v1/tasks/${second}`)).body;
    assert.equal(task.title, 'better');
    assert.equal(task.body, 'more words');
    assert.equal(task.size, 'L');
    const circle = await hall.caller.call('PATCH', `/v1/tasks/${first}`, { depends_on: [second] });
    assert.equal(circle.status, 422);
    assert.equal(circle.body.code, 'dependency_cycle');
  });

  test('X-005a GH-010a: a task is cancelled with a reason and reopened as a linked task', async () => {
    const [task] = await hall.post({ title: 'again', body: 'and again' });
    const cancelled = await hall.caller.post(`/v1/tasks/${task}/cancel`, { because: 'no need' });
    assert.deepEqual(cancelled.body, { id: task, state: 'cancelled' });
    const { task: ended } = (await hall.caller.get(`/v1/tasks/${task}`)).body;
    assert.equal(ended.summary, 'no need');
    assert.equal(ended.cancelled_by, 'operator:local');
    assert.equal((await hall.caller.post(`/v1/tasks/${task}/cancel`)).status, 409);

    const reopened = await hall.caller.post(`/v1/tasks/${task}/reopen`);
    assert.equal(reopened.status, 201);
    const { task: next } = (await hall.caller.get(`/v1/tasks/${reopened.body.id}`)).body;
    assert.equal(next.reopens, task);
    assert.equal(next.title, 'again');
    assert.equal(next.body, 'and again');
    assert.equal((await hall.caller.post(`/v1/tasks/${next.id}/reopen`)).status, 409);
  });

  test('X-005a: a task is released from its worker, which is ordered to stop at its next heartbeat', async () => {
    const worker = await hall.worker();
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    const released = await hall.caller.post(`/v1/tasks/${claim.task.id}/release`);
    assert.deepEqual(released.body, { id: claim.task.id, state: 'available' });
    const lease = { run: claim.run, fence: claim.fence };
    const { body: orders } = await worker.caller.post(`/v1/workers/${worker.id}/heartbeat`, lease);
    assert.equal(orders.orders, 'stop');
    assert.equal((await hall.caller.post(`/v1/tasks/${claim.task.id}/release`)).status, 409);
  });

  test('X-005a: a deferred task can be retried at once', async () => {
    const worker = await hall.worker();
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    await worker.caller.post(`/v1/runs/${claim.run}/report`, {
      fence: claim.fence,
      outcome: 'quota_exceeded',
      resets_at: '2099-01-01T00:00:00+01:00',
    });
    const { task } = (await hall.caller.get(`/v1/tasks/${claim.task.id}`)).body;
    assert.equal(task.state, 'deferred');
    assert.equal(task.until, '2098-12-31T23:00:00.000Z');
    const retried = await hall.caller.post(`/v1/tasks/${claim.task.id}/retry`);
    assert.deepEqual(retried.body, { id: claim.task.id, state: 'available' });
    assert.equal((await hall.caller.post(`/v1/tasks/${claim.task.id}/retry`)).status, 409);
  });

  test('an unknown task is answered with 404', async () => {
    for (const verb of ['cancel', 'retry', 'reopen', 'approve', 'release']) {
      const { status, body } = await hall.caller.post(`/v1/tasks/t-999999/${verb}`);
      assert.equal(status, 404, verb);
      assert.equal(body.code, 'unknown_task');
    }
    assert.equal((await hall.caller.get('/v1/tasks/t-999999')).status, 404);
    assert.equal((await hall.caller.get('/v1/tasks/t-999999/log')).status, 404);
  });
});
