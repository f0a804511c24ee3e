import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningHall, startHall } from '../support/hall.ts';

let hall: RunningHall;

before(async () => {
  hall = await startHall();
});

after(() => hall[Symbol.asyncDispose]());

describe('a project', () => {
  test('a project whose forge is not connected lists its source with that reason', async () => {
    const project = {
      name: 'site',
      repo: 'github:acme/site',
      max_workers: 2,
      sources: [{ kind: 'github-issues', filter: { labels: ['ready'] } }],
    };
    const added = await hall.caller.post('/v1/projects', project);
    assert.equal(added.status, 201);
    assert.deepEqual(added.body.sources, project.sources);

    const { body: board } = await hall.caller.get('/v1/board');
    const shown = board.projects.find(({ name }: { name: string }) => name === 'site');
    assert.equal(shown.max_workers, 2);
    const { body: listed } = await hall.caller.get('/v1/sources');
    const [{ id, kind, settings, status, says }] = listed.sources;
    assert.deepEqual(
      [id, kind, settings, status, says],
      [
        'site-github-issues',
        'github-issues',
        { filter: { labels: ['ready'] } },
        'degraded',
        'nobody reads it: the hall is not connected to the forge of github:acme/site',
      ],
    );
  });

  test('the name of a project must be unique', async () => {
    const { status, body } = await hall.caller.post('/v1/projects', { name: 'site' });
    assert.equal(status, 409);
    assert.equal(body.code, 'name_taken');
  });

  test('a project is changed field by field', async () => {
    const changed = await hall.caller.call('PATCH', '/v1/projects/site', {
      max_workers: 5,
      default_size: 'l',
    });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.max_workers, 5);
    assert.equal(changed.body.default_size, 'L');
    assert.equal(changed.body.repo, 'github:acme/site');
  });

  test('a project that the file declares cannot be changed over the API, and the refusal names file and line', async () => {
    const answers = [
      await hall.caller.call('PATCH', '/v1/projects/shop', { max_workers: 5 }),
      await hall.caller.call('DELETE', '/v1/projects/shop'),
      await hall.caller.post('/v1/projects', { name: 'shop' }),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 409);
      assert.equal(body.code, 'declared_in_file');
      assert.match(body.detail, /guildhall\.yaml:10/);
    }
  });

  test('X-004a: a project is paused and resumed, even if the file declares it', async () => {
    const paused = await hall.caller.post('/v1/projects/shop/pause', { because: 'broken main' });
    assert.equal(paused.body.paused.because, 'broken main');
    assert.equal(paused.body.paused.by, 'operator:local');
    const [task] = await hall.post();
    const { body: why } = await hall.caller.get(`/v1/tasks/${task}/why`);
    assert.ok(why.reasons.some(({ rule }: { rule: string }) => rule === 'project_paused'));

    const resumed = await hall.caller.post('/v1/projects/shop/resume');
    assert.equal(resumed.body.paused, null);
  });

  test('a project shows how many of its tasks are in each state', async () => {
    const { body } = await hall.caller.get('/v1/projects/shop');
    assert.equal(body.counts.available, 1);
    assert.equal(body.running, 0);
    const { body: all } = await hall.caller.get('/v1/projects');
    assert.equal(all.projects.length, 2);
  });

  test('a project can be removed only when it has no open task', async () => {
    await hall.post({ project: 'site' });
    const refused = await hall.caller.call('DELETE', '/v1/projects/site');
    assert.equal(refused.status, 409);
    assert.equal(refused.body.code, 'project_has_open_tasks');

    const { body } = await hall.caller.get('/v1/tasks?project=site&state=available');
    await hall.caller.post(`/v1/tasks/${body.tasks[0].id}/cancel`);
    assert.equal((await hall.caller.call('DELETE', '/v1/projects/site')).status, 204);
    assert.equal((await hall.caller.get('/v1/projects/site')).status, 404);
  });

  test('an unknown project is answered with 404 wherever it is named', async () => {
    const answers = [
      await hall.caller.get('/v1/projects/none'),
      await hall.caller.call('PATCH', '/v1/projects/none', { max_workers: 1 }),
      await hall.caller.call('DELETE', '/v1/projects/none'),
      await hall.caller.post('/v1/projects/none/pause'),
      await hall.caller.post('/v1/projects/none/resume'),
      await hall.caller.post('/v1/tasks', { project: 'none', title: 'x' }),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 404);
      assert.equal(body.code, 'unknown_project');
    }
  });

  test('a project with invalid settings is refused with every mistake', async () => {
    const wrong = {
      max_workers: 0,
      repo: 'acme/shop',
      isolation: 'vm',
      merge_policy: 'always',
      sources: [{ kind: 'jira' }, { kind: 'spec-files', paths: 'x' }],
    };
    const { status, body } = await hall.caller.post('/v1/projects', { name: 'x', ...wrong });
    assert.equal(status, 400);
    const paths = body.mistakes.map(({ path }: { path: string }) => path);
    for (const field of ['max_workers', 'repo', 'isolation', 'merge_policy']) {
      assert.ok(paths.includes(field), `${field} in ${paths}`);
    }
    assert.ok(paths.some((path: string) => path.startsWith('sources[0]')));
    assert.ok(paths.includes('sources[1].paths'));
  });
});

describe('the kill switch', () => {
  test('X-004a: a paused hall hands out no task until it is resumed', async () => {
    const worker = await hall.worker();
    const paused = await hall.caller.post('/v1/pause', { because: 'fire' });
    assert.equal(paused.body.paused.because, 'fire');
    assert.equal((await worker.caller.post('/v1/claims', { worker: worker.id })).status, 204);
    const resumed = await hall.caller.post('/v1/resume');
    assert.deepEqual(resumed.body, { paused: null, draining: null });
    assert.equal((await worker.caller.post('/v1/claims', { worker: worker.id })).status, 200);
  });

  test('X-004b: a draining hall orders its workers to drain', async () => {
    const worker = await hall.worker();
    const drained = await hall.caller.post('/v1/drain', {});
    assert.ok(drained.body.draining);
    const { body } = await worker.caller.post(`/v1/workers/${worker.id}/heartbeat`);
    assert.equal(body.orders, 'drain');
    await hall.caller.post('/v1/resume');
  });

  test('X-004a: a paused instance is given no task until it is resumed', async () => {
    const worker = await hall.worker();
    await hall.post();
    const paused = await hall.caller.post('/v1/agents/dev-default/pause', { because: 'costs' });
    assert.equal(paused.body.paused.because, 'costs');
    assert.equal((await worker.caller.post('/v1/claims', { worker: worker.id })).status, 204);
    const resumed = await hall.caller.post('/v1/agents/dev-default/resume');
    assert.equal(resumed.body.paused, null);
    assert.equal((await worker.caller.post('/v1/claims', { worker: worker.id })).status, 200);
    assert.equal((await hall.caller.post('/v1/agents/nobody/pause')).status, 404);
  });
});

describe('the pool', () => {
  test('the agents are listed, each with its model and its number of workers', async () => {
    const { body } = await hall.caller.get('/v1/agents');
    const names = body.agents.map(({ name }: { name: string }) => name);
    assert.deepEqual(names.sort(), ['boss-default', 'dev-default', 'reviewer-default']);
    const { body: dev } = await hall.caller.get('/v1/agents/dev-default');
    assert.equal(dev.model, 'claude-sonnet-4-6');
    assert.ok(dev.workers > 0);
    assert.equal((await hall.caller.get('/v1/agents/nobody')).status, 404);
  });

  test('the list of invokers is empty if none is declared, and an unknown invoker is answered with 404', async () => {
    assert.deepEqual((await hall.caller.get('/v1/invokers')).body, { invokers: [] });
    assert.equal((await hall.caller.post('/v1/invokers/nobody/pause')).status, 404);
    assert.equal((await hall.caller.post('/v1/invokers/nobody/resume')).status, 404);
  });
});
