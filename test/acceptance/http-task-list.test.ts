import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningHall, startHall } from '../support/hall.ts';
import { searched } from '../support/hall-fixture.ts';

describe('a list of tasks', () => {
  let listed: RunningHall;
  const open: string[] = [];

  before(async () => {
    listed = await startHall({ projects: { shop: {}, site: {} }, tickSeconds: 1 });
    const tasks = Array.from({ length: 120 }, (_, n) => ({
      title: n % 10 === 0 ? `Fix Login ${n}` : `task ${n}`,
      project: n % 2 === 0 ? 'shop' : 'site',
      ...(n % 3 === 0 && { type: 'reviewer' }),
    }));
    open.push(...(await listed.post(tasks)));
    for (const id of open.slice(0, 20)) await listed.caller.post(`/v1/tasks/${id}/cancel`);
    await searched(listed.caller);
  });

  after(() => listed[Symbol.asyncDispose]());

  async function pages(query: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const from = next === '' ? '' : `&after=${next}`;
      const { status, body } = await listed.caller.get(`/v1/tasks?${query}${from}`);
      assert.equal(status, 200, JSON.stringify(body));
      found.push(...body.tasks.map(({ id }: { id: string }) => id));
      next = body.next;
    }
    return found;
  }

  test('tasks are listed newest first, in pages without gaps', async () => {
    const newest = open.toReversed();
    assert.deepEqual(await pages('limit=7'), newest);
    assert.deepEqual(await pages('limit=7&state=available'), newest.slice(0, 100));
    assert.deepEqual(await pages('limit=7&state=cancelled'), newest.slice(100));
    assert.deepEqual(await pages('limit=7&state=available,cancelled'), newest);
  });

  test('the list of tasks is filtered by project, type and text', async () => {
    const shop = open.filter((_, n) => n % 2 === 0).toReversed();
    assert.deepEqual(await pages('project=shop&limit=200'), shop);
    const both = open.filter((_, n) => n >= 20 && n % 2 === 0 && n % 3 === 0).toReversed();
    assert.deepEqual(await pages('project=shop&type=reviewer&state=available&limit=5'), both);
    const logins = open.filter((_, n) => n % 10 === 0).toReversed();
    assert.deepEqual(await pages('text=fix%20login&limit=3'), logins);
    const openLogins = open.filter((_, n) => n >= 20 && n % 10 === 0).toReversed();
    assert.deepEqual(await pages('text=LOGIN&state=available&limit=200'), openLogins);
  });

  test('a search takes every character as text, and says which event it reaches', async () => {
    const logins = open.filter((_, n) => n % 10 === 0).toReversed();
    for (const text of [
      ...[
        '"login',
        'login*',
        '(fix) -login:',
        "fix' login\\",
        'fix\0login',
        'LOGIN & fix',
        '%login%',
      ],
      ...['fix\tlogin', 'login\n', '\u{10ffff}login'],
    ]) {
      assert.deepEqual(await pages(`limit=200&text=${encodeURIComponent(text)}`), logins, text);
    }
    for (const text of [
      'login OR task',
      'login AND NOT fix',
      '*',
      '"',
      '\0',
      '🙂',
      'logi*n',
      'fixlogin',
    ]) {
      assert.deepEqual(await pages(`text=${encodeURIComponent(text)}`), [], text);
    }
    const { body } = await listed.caller.get('/v1/tasks?text=login&limit=1');
    assert.equal(body.search.indexed_to, body.search.log_end);
    assert.equal((await listed.caller.get('/v1/tasks?limit=1')).body.search, null);
    for (const query of ['text=', 'text=%20', `text=${'x'.repeat(201)}`, 'branch=', 'link=']) {
      assert.equal((await listed.caller.get(`/v1/tasks?${query}`)).status, 400, query);
    }
  });

  test('the list of tasks shows held tasks as claimed or running', async () => {
    const worker = await listed.worker();
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    assert.deepEqual(await pages('state=claimed'), [claim.task.id]);
    assert.deepEqual(await pages('state=running'), []);
    await worker.caller.post(`/v1/runs/${claim.run}/start`, { fence: claim.fence });
    assert.deepEqual(await pages('state=running'), [claim.task.id]);
    assert.ok(!(await pages('state=available&limit=200')).includes(claim.task.id));
  });

  test('the list of tasks finds the few in a rare state among many', async () => {
    const many = await listed.post(Array.from({ length: 300 }, () => ({})));
    const waiting = [many[7], many[200]] as const;
    for (const id of waiting) {
      await listed.caller.call('PATCH', `/v1/tasks/${id}`, { depends_on: [many[0]] });
    }
    assert.deepEqual(await pages('state=blocked&limit=1'), waiting.toReversed());
    assert.deepEqual(await pages('state=blocked,deferred&project=shop&type=dev'), [
      waiting[1],
      waiting[0],
    ]);
    assert.deepEqual(await pages('state=blocked&project=site'), []);
    assert.deepEqual(await pages('state=awaiting_input'), []);
  });

  test('the list of tasks refuses unknown and invalid filters', async () => {
    for (const query of ['state=done', 'limit=0', 'limit=201', 'limit=x', 'after=12', 'sort=up']) {
      assert.equal((await listed.caller.get(`/v1/tasks?${query}`)).status, 400, query);
    }
  });

  test('an unknown name in a filter is refused with the known names, not answered with an empty list', async () => {
    for (const [path, field, expected] of [
      [
        'tasks?project=shp',
        'project',
        /shp is unknown, did you mean shop\?; known values: shop, site/,
      ],
      ['tasks?type=rewiever', 'type', /did you mean reviewer\?; known values: boss, dev, reviewer/],
      ['tasks?state=runing', 'state[0]', /must be one of proposed, .*; did you mean running\?/],
      ['threads?project=shp', 'project', /did you mean shop/],
      ['graph?project=shp', 'project', /did you mean shop/],
      ['events?project=shp', 'project', /did you mean shop/],
      ['events?type=TaskPosed', 'type', /did you mean TaskPosted\?; known values: /],
      ['events/stream?project=shp', 'project', /did you mean shop/],
    ] as const) {
      const { status, body } = await listed.caller.get(`/v1/${path}`);
      assert.equal(status, 400, path);
      assert.equal(body.mistakes[0].path, field, path);
      assert.match(body.mistakes[0].message, expected, path);
      assert.match(body.detail, expected, path);
    }
    assert.equal((await listed.caller.get('/v1/events?task=t-999999')).status, 404);
  });

  test('the list of tasks includes ended tasks of a removed project', async () => {
    await listed.caller.post('/v1/projects', { name: 'brief' });
    const [task] = await listed.post({ project: 'brief' });
    await listed.caller.post(`/v1/tasks/${task}/cancel`);
    assert.equal((await listed.caller.call('DELETE', '/v1/projects/brief')).status, 204);
    assert.deepEqual(await pages('project=brief'), [task]);
    assert.deepEqual(await pages('project=brief&state=failed'), []);
  });
});
