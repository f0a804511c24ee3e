import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { API_STORES, STORES } from '../support/acceptance-stores.ts';
import { type HallFixture, type Json, until } from '../support/hall-fixture.ts';
import { startProxy } from '../support/tcp-proxy.ts';

const INVOKER = { handle: 'ada', credential: '$GUILDHALL_ROWS_KEY', weekly_cap: 5 };
process.env['GUILDHALL_ROWS_KEY'] = 'a-key-that-opens-nothing';

/** The health once the store answers within its two seconds, which may take a while on a busy machine. */
function healthOf(fixture: Pick<HallFixture, 'get'>): Promise<Json> {
  return until('the store answers in time', async () => {
    const health = await fixture.get('/v1/health');
    return health.components.some((each: Json) => each.name === 'store' && each.status === 'up')
      ? health
      : false;
  });
}

async function component(fixture: Pick<HallFixture, 'get'>, name: string): Promise<Json> {
  const { components } = await healthOf(fixture);
  return components.find((each: Json) => each.name === name);
}

for (const on of API_STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall({ projects: { shop: 1 }, more: { invokers: [INVOKER] } });

    describe('health', () => {
      shared.test(
        'GH-029a: health lists every component with its status and a description',
        async (fixture) => {
          const { status, components } = await healthOf(fixture);
          assert.deepEqual(
            components.map((each: Json) => [each.name, each.status]),
            [
              ['store', 'up'],
              ['leadership', 'up'],
              ['recruiter', 'up'],
              ['agents', 'up'],
              ['personas', 'up'],
              ['workers', 'up'],
              ['executors', 'up'],
              ['sources', 'up'],
              ['forges', 'up'],
              ['reviews', 'up'],
              ['disk', 'up'],
              ['invokers', 'up'],
              ['chores', 'up'],
              ['secrets', 'up'],
            ],
          );
          assert.equal(status, 'up');
          for (const { says } of components) assert.notEqual(says, '');
        },
      );

      shared.test('GH-029a: health of the store shows the last event', async (fixture) => {
        const before = await component(fixture, 'store');
        await fixture.project();
        const after = await component(fixture, 'store');
        assert.match(before.says, /the log ends with event \d+/);
        assert.notEqual(after.says, before.says);
      });

      shared.test(
        'GH-029b: sources that are configured but that nobody reads are degraded',
        async (fixture) => {
          const sources = [{ kind: 'spec-files' }, { kind: 'api' }];
          const { name } = await fixture.project({ sources });
          assert.deepEqual(await component(fixture, 'sources'), {
            name: 'sources',
            status: 'degraded',
            says: `${name}-spec-files: nobody reads it: project ${name} has no repository`,
          });
          assert.equal((await healthOf(fixture)).status, 'degraded');
          await fixture.caller.call('DELETE', `/v1/projects/${name}`);
          const { status, says } = await component(fixture, 'sources');
          assert.deepEqual([status, says], ['up', 'none to read']);
        },
      );

      shared.test(
        'GH-029b: a forge that a project names but nothing polls is degraded',
        async (fixture) => {
          const { name } = await fixture.project({ repo: 'github:acme/shop' });
          const { status, says } = await component(fixture, 'forges');
          assert.deepEqual([status, says], ['degraded', 'not connected, so not followed: github']);
          await fixture.caller.call('DELETE', `/v1/projects/${name}`);
          assert.equal((await component(fixture, 'forges')).status, 'up');
        },
      );

      shared.test(
        'GH-029a: health of the invokers is degraded when none can pay',
        async (fixture) => {
          assert.equal((await component(fixture, 'invokers')).says, '1 of 1 can pay');
          await fixture.post('/v1/invokers/ada/pause');
          const { status } = await healthOf(fixture);
          const { status: own, says } = await component(fixture, 'invokers');
          assert.deepEqual([own, says, status], ['degraded', '0 of 1 can pay', 'degraded']);
          await fixture.post('/v1/invokers/ada/resume');
        },
      );

      shared.test('GH-029a: health of the disk shows the free space', async (fixture) => {
        assert.match((await component(fixture, 'disk')).says, /^\d+ MiB free/);
      });

      shared.test(
        'GH-029a GH-063d: health of the executors shows the kinds of cells and what they cannot enforce',
        async (fixture) => {
          assert.match((await component(fixture, 'executors')).says, /^no worker with cells/);
          const gap =
            'the cpus limit is not enforced, because no control group can be created here';
          const cells = { kind: 'sandbox', gaps: [gap] };
          const { id } = await fixture.post('/v1/workers', { instance: 'dev-default', cells });
          const { status, says } = await component(fixture, 'executors');
          assert.deepEqual([status, says], ['degraded', `sandbox on 1; sandbox: ${gap}`]);
          const { body: text } = await fixture.caller.get('/metrics');
          assert.match(text, /guildhall_component_up\{component="executors"\} 0/);
          assert.match(text, /guildhall_component_up\{component="store"\} 1/);
          await fixture.caller.call('DELETE', `/v1/workers/${id}`);
          assert.equal((await component(fixture, 'executors')).status, 'up');
        },
      );

      shared.test(
        'GH-029a: health of the executors names projects with isolation none',
        async (fixture) => {
          const { name } = await fixture.project({ isolation: 'none' });
          const { status, says } = await component(fixture, 'executors');
          assert.equal(status, 'degraded');
          assert.ok(says.includes(`${name}: isolation is none: agents`), says);
          const { projects } = await fixture.get('/v1/board');
          const shown = projects.find((each: { name: string }) => each.name === name);
          assert.match(shown.missing_isolation, /^isolation is none/);
          await fixture.caller.call('DELETE', `/v1/projects/${name}`);
          assert.equal((await component(fixture, 'executors')).status, 'up');
        },
      );

      shared.test(
        'health of the forges names a check that cannot be run, until the thread is closed',
        async (fixture) => {
          const checks = [{ name: 'test', run: 'true' }];
          const shop = await fixture.project({ repo: 'file:/nowhere/shop.git', checks });
          const { worker, claim } = await shop.held();
          const pushed = { outcome: 'pr_created', branch: 'hall/dev/issue-1', commit: 'c0ffee00' };
          await worker.mustCall('report', claim, pushed);
          const { thread } = claim.task;
          const { says } = await until('it failed', async () => {
            const now = await component(fixture, 'forges');
            return now.status === 'degraded' && now;
          });
          assert.match(says, new RegExp(`could not run the checks of ${thread}: .*nowhere`));
          await fixture.post(`/v1/threads/${thread}/close`);
          assert.equal((await component(fixture, 'forges')).status, 'up');
        },
      );

      shared.test(
        'X-009a: /healthz and /readyz answer anyone with the status alone',
        async (fixture) => {
          for (const path of ['/healthz', '/readyz']) {
            const { body } = await until(`${path} says that it is up`, async () => {
              const answer = await fixture.as(null).get(path);
              return answer.status === 200 && answer;
            });
            assert.deepEqual(body, { status: 'up' });
          }
        },
      );
    });
  });
}

for (const on of API_STORES) {
  describe(`the health of a hall in trouble, on ${on.store}`, () => {
    on.test(
      'GH-029a: health of the workers is degraded while a worker is silent, before it is dead',
      async (place) => {
        const hall = await place.start({
          projects: { shop: 1 },
          // A worker counts as silent after half of this; it must neither be silent at once nor dead too soon.
          hall: { dead_after_seconds: 12, heartbeat_seconds: 1 },
        });
        const caller = hall.caller();
        await caller.post('/v1/workers', { instance: 'dev-default', brings_model: true });
        const workers = async () => {
          const { body } = await caller.get('/v1/health');
          return body.components.find(({ name }: Json) => name === 'workers');
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
      'GH-029a: health of the store is down while the database cannot be reached, and up afterwards',
      async (place) => {
        await using proxy = await startProxy(await place.store());
        const hall = await place.start({ projects: { shop: 1 }, store: proxy.url });
        const caller = hall.caller();
        const store = async () => {
          const { body } = await caller.get('/v1/health');
          return body.components.find(({ name }: Json) => name === 'store');
        };
        await until('it is up', async () => (await store()).status === 'up');
        proxy.silent = true;
        const down = await until('it is down', async () => {
          const now = await store();
          return now.status === 'down' && now;
        });
        assert.equal(down.says, 'does not respond');
        assert.equal((await caller.as(null).get('/readyz')).status, 503);
        assert.equal((await caller.as(null).get('/healthz')).status, 200, 'the process lives');
        proxy.silent = false;
        await until('it is up', async () => (await store()).status === 'up');
        caller.close();
        // Without the proxy the hall cannot close its store later.
        await hall.stop();
      },
    );
  });
}
