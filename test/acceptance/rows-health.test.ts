import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { type Scene, type Told, until } from '../support/acceptance-scene.ts';
import { API_STORES, STORES } from '../support/acceptance-stores.ts';
import { startProxy } from '../support/tcp-proxy.ts';

const INVOKER = { handle: 'ada', credential: '$GUILDHALL_ROWS_KEY', weekly_cap: 5 };
process.env['GUILDHALL_ROWS_KEY'] = 'a-key-that-opens-nothing';

/** The health, once the store has answered in the two seconds it has: a busy machine may take longer. */
function healthOf(scene: Pick<Scene, 'get'>): Promise<Told> {
  return until('the store answers in time', async () => {
    const health = await scene.get('/v1/health');
    return health.components.some((each: Told) => each.name === 'store' && each.status === 'up')
      ? health
      : false;
  });
}

async function component(scene: Pick<Scene, 'get'>, name: string): Promise<Told> {
  const { components } = await healthOf(scene);
  return components.find((each: Told) => each.name === name);
}

for (const on of API_STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall({ projects: { shop: 1 }, more: { invokers: [INVOKER] } });

    describe('the health', () => {
      shared.test(
        'GH-029a: names every component there is, how it is, and says it in words',
        async (scene) => {
          const { status, components } = await healthOf(scene);
          assert.deepEqual(
            components.map((each: Told) => [each.name, each.status]),
            [
              ['store', 'up'],
              ['leadership', 'up'],
              ['recruiter', 'up'],
              ['workers', 'up'],
              ['executors', 'up'],
              ['sources', 'up'],
              ['forges', 'up'],
              ['reviews', 'up'],
              ['disk', 'up'],
              ['invokers', 'up'],
              ['chores', 'up'],
            ],
          );
          assert.equal(status, 'up');
          for (const { says } of components) assert.notEqual(says, '');
        },
      );

      shared.test('GH-029a: of the store says how far it has come', async (scene) => {
        const before = await component(scene, 'store');
        await scene.project();
        const after = await component(scene, 'store');
        assert.match(before.says, /the log ends with event \d+/);
        assert.notEqual(after.says, before.says);
      });

      shared.test('of the sources says how many there are', async (scene) => {
        const { name } = await scene.project({ sources: [{ kind: 'spec-files' }] });
        assert.match((await component(scene, 'sources')).says, /^1 configured/);
        await scene.caller.call('DELETE', `/v1/projects/${name}`);
        assert.match((await component(scene, 'sources')).says, /none is configured/);
      });

      shared.test('GH-029a: of the invokers is degraded when none can pay', async (scene) => {
        assert.equal((await component(scene, 'invokers')).says, '1 of 1 can pay');
        await scene.post('/v1/invokers/ada/pause');
        const { status } = await healthOf(scene);
        const { status: own, says } = await component(scene, 'invokers');
        assert.deepEqual([own, says, status], ['degraded', '0 of 1 can pay', 'degraded']);
        await scene.post('/v1/invokers/ada/resume');
      });

      shared.test('GH-029a: of the disk says what is free', async (scene) => {
        assert.match((await component(scene, 'disk')).says, /^\d+ MiB free/);
      });

      shared.test(
        'GH-029a GH-063d: of the executors says which walls there are and what they do not hold',
        async (scene) => {
          assert.match((await component(scene, 'executors')).says, /^no worker with cells/);
          const gap = 'no limit of cpus is held, because no control group can be made here';
          const cells = { kind: 'sandbox', gaps: [gap] };
          const { id } = await scene.post('/v1/workers', { instance: 'dev-default', cells });
          const { status, says } = await component(scene, 'executors');
          assert.deepEqual([status, says], ['degraded', `sandbox on 1; sandbox: ${gap}`]);
          const { body: text } = await scene.caller.get('/metrics');
          assert.match(text, /guildhall_component_up\{component="executors"\} 0/);
          assert.match(text, /guildhall_component_up\{component="store"\} 1/);
          await scene.caller.call('DELETE', `/v1/workers/${id}`);
          assert.equal((await component(scene, 'executors')).status, 'up');
        },
      );

      shared.test('GH-029a: of the executors names projects without walls', async (scene) => {
        const { name } = await scene.project({ isolation: 'none' });
        const { status, says } = await component(scene, 'executors');
        assert.equal(status, 'degraded');
        assert.ok(says.includes(`${name}: isolation is none: its agents`), says);
        const { projects } = await scene.get('/v1/board');
        const shown = projects.find((each: { name: string }) => each.name === name);
        assert.match(shown.lacks_walls, /^isolation is none/);
        await scene.caller.call('DELETE', `/v1/projects/${name}`);
        assert.equal((await component(scene, 'executors')).status, 'up');
      });

      shared.test(
        'of the forges says which checks and merges cannot be done, as long as they are to be',
        async (scene) => {
          const checks = [{ name: 'test', run: 'true' }];
          const shop = await scene.project({ repo: 'file:/nowhere/shop.git', checks });
          const { worker, claim } = await shop.held();
          const pushed = { outcome: 'pr_created', branch: 'hall/dev/issue-1', commit: 'c0ffee00' };
          await worker.tell('report', claim, pushed);
          const { thread } = claim.task;
          const { says } = await until('it failed', async () => {
            const now = await component(scene, 'forges');
            return now.status === 'degraded' && now;
          });
          assert.match(says, new RegExp(`could not run the checks of ${thread}: .*nowhere`));
          await scene.post(`/v1/threads/${thread}/close`);
          assert.equal((await component(scene, 'forges')).status, 'up');
        },
      );

      shared.test('X-009a: in short is told to anybody, in one word', async (scene) => {
        for (const path of ['/healthz', '/readyz']) {
          const { body } = await until(`${path} says that it is up`, async () => {
            const answer = await scene.as(null).get(path);
            return answer.status === 200 && answer;
          });
          assert.deepEqual(body, { status: 'up' });
        }
      });
    });
  });
}

for (const on of API_STORES) {
  describe(`the health of a hall in trouble, on ${on.store}`, () => {
    on.test(
      'GH-029a: of the workers is degraded while one is silent, before it is dead',
      async (place) => {
        const hall = await place.start({
          projects: { shop: 1 },
          // It is silent after half of it, and must neither be so at once nor dead before anybody looks.
          hall: { dead_after_seconds: 12, heartbeat_seconds: 1 },
        });
        const caller = hall.caller();
        await caller.post('/v1/workers', { instance: 'dev-default', brings_model: true });
        const workers = async () => {
          const { body } = await caller.get('/v1/health');
          return body.components.find(({ name }: Told) => name === 'workers');
        };
        assert.deepEqual(
          [(await workers()).status, (await workers()).says],
          ['up', '1 live, 0 silent'],
        );
        const silent = await until('it is silent', async () => {
          const now = await workers();
          return now.status === 'degraded' && now;
        });
        assert.equal(silent.says, '0 live, 1 silent');
        caller.close();
      },
    );
  });
}

for (const on of STORES.filter(({ store }) => store === 'PostgreSQL')) {
  describe(`the health of a hall in trouble, on ${on.store}`, () => {
    on.test(
      'GH-029a: of the store is down while the database cannot be reached, and up again after',
      async (place) => {
        await using proxy = await startProxy(await place.store());
        const hall = await place.start({ projects: { shop: 1 }, store: proxy.url });
        const caller = hall.caller();
        const store = async () => {
          const { body } = await caller.get('/v1/health');
          return body.components.find(({ name }: Told) => name === 'store');
        };
        await until('it is up', async () => (await store()).status === 'up');
        proxy.silent = true;
        const down = await until('it is down', async () => {
          const now = await store();
          return now.status === 'down' && now;
        });
        assert.equal(down.says, 'it does not answer');
        assert.equal((await caller.as(null).get('/readyz')).status, 503);
        assert.equal((await caller.as(null).get('/healthz')).status, 200, 'the process lives');
        proxy.silent = false;
        await until('it is up', async () => (await store()).status === 'up');
        caller.close();
        // It cannot take leave of its store once the proxy is gone.
        await hall.stop();
      },
    );
  });
}
