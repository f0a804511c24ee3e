import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningHall, type RunningWorker, startHall } from '../support/hall.ts';

let hall: RunningHall;
let boss: RunningWorker;
let dev: RunningWorker;

before(async () => {
  hall = await startHall({
    projects: { shop: {}, site: {}, home: { repo: 'file:/nowhere', maxRounds: 9 } },
  });
  boss = await hall.worker({ instance: 'boss-default' });
  dev = await hall.worker();
});

after(() => hall[Symbol.asyncDispose]());

const HOME = { projects: ['home'] };

interface Claimed {
  readonly run: string;
  readonly fence: number;
}

async function claimBy(worker: RunningWorker) {
  const { status, body } = await worker.caller.post('/v1/claims', { worker: worker.id });
  assert.equal(status, 200);
  return body;
}

async function reportBy(worker: RunningWorker, claim: Claimed, content: object) {
  return worker.caller.post(`/v1/runs/${claim.run}/report`, { fence: claim.fence, ...content });
}

function children(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    title: `part ${n + 1}`,
    ref: `p${n + 1}`,
    ...(n > 0 && { depends_on: [`p${n}`] }),
  }));
}

describe('a task of size XL', () => {
  let parent = '';

  test('GH-T09a GH-012a: a manager agent decomposes an XL task into 5 to 25 children that wait for approval', async () => {
    [parent = ''] = await hall.post({ title: 'the whole shop', size: 'XL' });
    const claim = await claimBy(boss);
    assert.equal(claim.task.skill, 'decompose');

    for (const count of [0, 4]) {
      const few = { outcome: 'completed', children: children(count) };
      const { status, body } = await reportBy(boss, claim, few);
      assert.equal(status, 422);
      assert.equal(body.code, 'children_out_of_range');
    }
    const many = { outcome: 'completed', children: children(26) };
    assert.equal((await reportBy(boss, claim, many)).status, 400);
    const ten = { outcome: 'completed', summary: 'ten parts', children: children(10) };
    assert.equal((await reportBy(boss, claim, ten)).status, 200);

    const { body } = await hall.caller.get(`/v1/tasks/${parent}`);
    assert.equal(body.thread.progress, '0 of 10 completed');
    assert.equal(body.children.length, 10);
    const { body: listed } = await hall.caller.get('/v1/tasks?state=proposed');
    assert.equal(listed.tasks.length, 10);
    assert.match(body.next_step, new RegExp(`10 children wait.*guildhall task approve ${parent}`));
    const [child] = body.children;
    assert.equal(child.task.state, 'proposed');
    const { body: part } = await hall.caller.get(`/v1/tasks/${child.task.id}`);
    assert.equal(part.task.posted_by, 'operator:local', 'whose right to ask is what counts');
    assert.deepEqual(part.task.proposed_by, { worker: boss.id, instance: 'boss-default' });
    assert.equal(body.task.proposed_by, null);
  });

  test('an operator approves some children of an XL task, then the rest', async () => {
    const { body: listed } = await hall.caller.get('/v1/tasks?state=proposed');
    const first = listed.tasks.at(-1).id;
    const some = await hall.caller.post(`/v1/tasks/${parent}/approve`, { only: [first] });
    assert.deepEqual(some.body, { approved: [first] });
    const strange = await hall.caller.post(`/v1/tasks/${parent}/approve`, { only: [parent] });
    assert.equal(strange.body.code, 'nothing_proposed');
    const rest = await hall.caller.post(`/v1/tasks/${parent}/approve`);
    assert.equal(rest.body.approved.length, 9);
    assert.equal((await hall.caller.post(`/v1/tasks/${parent}/approve`)).status, 409);
  });

  test('GH-012b: an XL task shows "3 of 10 completed" after three of its children are completed in order', async () => {
    for (let done = 0; done < 3; done += 1) {
      const claim = await claimBy(dev);
      assert.equal(claim.task.title, `part ${done + 1}`);
      await reportBy(dev, claim, { outcome: 'completed', summary: 'done' });
    }
    const { body } = await hall.caller.get(`/v1/tasks/${parent}`);
    assert.equal(body.task.progress, '3 of 10 completed');
    assert.equal(body.thread.children_done, 3);
  });

  test('the graph shows an XL task with its open children and their dependencies', async () => {
    const { body } = await hall.caller.get('/v1/graph?project=shop');
    const [top] = body.threads.filter(({ parent: above }: { parent: string }) => above === null);
    assert.equal(top.progress, '3 of 10 completed');
    const parts = body.threads.filter(({ parent: above }: { parent: string }) => above === top.id);
    assert.equal(parts.length, 7);
    const last = parts.find(({ title }: { title: string }) => title === 'part 10');
    assert.equal(last.blocked_by.length, 1);
    assert.equal(body.more, false);
    assert.deepEqual((await hall.caller.get('/v1/graph?project=site')).body.threads, []);
  });

  test('the graph shows a thread that waits and the one it waits for, and no thread without relations', async () => {
    const tasks = [{ ref: 'a' }, { depends_on: ['a'] }, {}].map((task) => ({
      ...{ project: 'site', title: 'page' },
      ...task,
    }));
    const { body } = await hall.caller.post('/v1/tasks', tasks);
    const [first, second] = body.tasks.map(({ thread }: { thread: string }) => thread);
    const shown = async () => {
      const graph = await hall.caller.get('/v1/graph?project=site');
      return graph.body.threads.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await shown(), [second, first]);
    await hall.caller.call('PATCH', `/v1/tasks/${body.tasks[1].id}`, { depends_on: [] });
    assert.deepEqual(await shown(), []);
    for (const { id } of body.tasks) await hall.caller.post(`/v1/tasks/${id}/cancel`);
  });

  test('mistakes in reported children are named by their position', async () => {
    const [task] = await hall.post({ title: 'another whole', size: 'XL' });
    const claim = await claimBy(boss);
    const parts = [{ ref: 'a' }, { depends_on: ['nothing'] }, { ref: 'a' }, {}, {}];
    const wrong = parts.map((part, n) => ({ title: `part ${n}`, ...part }));
    const { status, body } = await reportBy(boss, claim, { outcome: 'completed', children: wrong });
    assert.equal(status, 422);
    assert.deepEqual(
      body.mistakes.map(({ path }: { path: string }) => path),
      ['children[1].depends_on[0]', 'children[2].ref'],
    );
    await hall.caller.post(`/v1/tasks/${task}/cancel`);
  });

  test('children reported for a task that is not to be split are refused', async () => {
    const claim = await claimBy(dev);
    const report = { outcome: 'completed', children: children(5) };
    const { status, body } = await reportBy(dev, claim, report);
    assert.equal(status, 422);
    assert.equal(body.code, 'not_declared');
    await reportBy(dev, claim, { outcome: 'failed', summary: 'could not' });
  });
});

describe('a thread', () => {
  test('HA-171a: a task that depends on a pull request is blocked until it is merged', async () => {
    const [first, second] = await hall.post([
      { title: 'base', ref: 'base' },
      { title: 'on top', depends_on: ['base'] },
    ]);
    const claim = await claimBy(dev);
    assert.equal(claim.task.id, first);
    await reportBy(dev, claim, {
      outcome: 'pr_created',
      summary: 'see there',
      branch: 'hall/dev/issue-1',
      commit: 'abc1234',
      pr: { number: 7, url: 'https://example.org/pull/7' },
    });
    const { body: before } = await hall.caller.get(`/v1/threads/${claim.task.thread}`);
    assert.equal(before.thread.state, 'open');
    assert.equal(before.thread.pr.state, 'open');
    assert.equal(before.thread.branch, 'hall/dev/issue-1');
    assert.equal(before.tasks[0].state, 'completed');
    const { body: why } = await hall.caller.get(`/v1/tasks/${second}/why`);
    const [{ rule, because }] = why.reasons;
    assert.equal(rule, 'waits_for_dependency');
    assert.match(because, new RegExp(`${first} "base" \\(${claim.task.thread}\\)`));
    assert.match(because, /https:\/\/example\.org\/pull\/7 is open/);
    assert.match(because, new RegExp(`guildhall thread mark-merged ${claim.task.thread}`));
    assert.deepEqual((await hall.caller.get(`/v1/tasks/${second}`)).body.why, why);

    const marked = await hall.caller.post(`/v1/threads/${claim.task.thread}/mark-merged`);
    assert.equal(marked.status, 200);
    assert.equal(marked.body.state, 'done');
    assert.equal(marked.body.pr.state, 'merged');
    const next = await claimBy(dev);
    assert.equal(next.task.title, 'on top');
    await reportBy(dev, next, { outcome: 'completed' });
  });

  test('X-005b: handing a thread over to a person stops its run, and it continues after the handback', async () => {
    const [task] = await hall.post({ title: 'delicate' });
    const claim = await claimBy(dev);
    const { thread } = claim.task;
    const over = await hall.caller.post(`/v1/threads/${thread}/handover`, { because: 'mine' });
    assert.equal(over.body.handed_over.because, 'mine');
    const late = await reportBy(dev, claim, { outcome: 'completed' });
    assert.equal(late.status, 409);
    assert.equal(late.body.code, 'stale_fence');
    assert.equal((await dev.caller.post('/v1/claims', { worker: dev.id })).status, 204);
    const { body: why } = await hall.caller.get(`/v1/tasks/${task}/why`);
    assert.equal(why.reasons[0].rule, 'thread_handed_over');

    const back = await hall.caller.post(`/v1/threads/${thread}/handback`);
    assert.equal(back.body.handed_over, null);
    const again = await claimBy(dev);
    assert.equal(again.task.id, task);
    assert.equal(again.task.previous[0].ending.how, 'released');
    await reportBy(dev, again, { outcome: 'completed' });
  });

  test('HA-063: a task posted while another task of its thread runs waits for it, and none is cancelled', async () => {
    await hall.post({ project: 'home', title: 'a door' });
    const [worker, idle] = [await hall.worker(HOME), await hall.worker(HOME)];
    const pushes = async (by: RunningWorker, claim: Claimed, commit: string) => {
      const report = { outcome: 'pr_created', branch: 'hall/dev/issue-9', commit };
      assert.equal((await reportBy(by, claim, report)).status, 200);
    };
    const first = await claimBy(worker);
    await pushes(worker, first, 'c1c1c1c1');
    const path = `/v1/threads/${first.task.thread}`;
    const requestChanges = (text: string) =>
      hall.caller.post(`${path}/review`, { verdict: 'changes_requested', text });
    const rounds = async (): Promise<{ id: string; state: string }[]> => {
      const { tasks } = (await hall.caller.get(path)).body;
      return tasks.filter(({ skill }: { skill: string }) => skill === 'address-review');
    };
    await requestChanges('paint it red');
    const second = await claimBy(worker);
    await requestChanges('and hang it straight');
    assert.equal((await idle.caller.post('/v1/claims', { worker: idle.id })).status, 204);
    const later = (await rounds()).find(({ state }) => state === 'available');
    const { body: why } = await hall.caller.get(`/v1/tasks/${later?.id}/why`);
    assert.equal(why.reasons[0].rule, 'thread_busy');
    await requestChanges('and oil it');
    assert.equal((await rounds()).length, 2, 'what nobody has begun reads all that was said');

    await pushes(worker, second, 'c2c2c2c2');
    const third = await claimBy(idle);
    assert.equal(third.task.id, later?.id);
    await pushes(idle, third, 'c3c3c3c3');
    assert.deepEqual(
      (await rounds()).map(({ state }) => state),
      ['completed', 'completed'],
    );
  });

  test('threads are listed newest first, in pages', async () => {
    const ids: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const from = next === '' ? '' : `&after=${next}`;
      const { body } = await hall.caller.get(`/v1/threads?project=shop&limit=4${from}`);
      ids.push(...body.threads.map(({ id }: { id: string }) => id));
      next = body.next;
    }
    const numbers = ids.map((id) => Number(id.slice(3)));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(ids).size, 15);
  });

  test('an unknown thread is answered with 404', async () => {
    assert.equal((await hall.caller.get('/v1/threads/th-999999')).status, 404);
    for (const verb of ['handover', 'handback', 'recheck', 'mark-merged']) {
      assert.equal((await hall.caller.post(`/v1/threads/th-999999/${verb}`)).status, 404, verb);
    }
  });
});
