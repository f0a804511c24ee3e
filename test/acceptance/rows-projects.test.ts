import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe } from 'node:test';
import { API_STORES, STORES, writeConfig } from '../support/acceptance-stores.ts';
import { Caller } from '../support/caller.ts';
import { type HallFixture, type Json, namesOf, until } from '../support/hall-fixture.ts';
import { begun, guildhall } from './cli-command.ts';

const SOURCES = [
  { kind: 'github-issues', filter: { labels: ['ready'] } },
  { kind: 'spiral-grove', path: '.sdd/tasks' },
];

const DECLARED = {
  name: 'shop',
  repo: 'github:acme/shop',
  max_workers: 7,
  default_size: 'L',
  merge_policy: 'on-approval',
  approvers: ['reviewer'],
  sources: SOURCES,
};

const INVOKER = { handle: 'ada', credential: '$GUILDHALL_ROWS_KEY', weekly_cap: 5 };
process.env['GUILDHALL_ROWS_KEY'] = 'a-key-that-opens-nothing';

/** The line of the file on which a project is declared. */
function lineOf(fixture: HallFixture, name: string): number {
  const lines = readFileSync(fixture.hall.config, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(`"name": "${name}"`));
  // A project starts with its brace, one line above its name.
  return at;
}

async function reread(
  fixture: HallFixture,
  projects: readonly object[],
  isDone: (names: readonly string[]) => boolean,
) {
  writeConfig(fixture.hall, { projects });
  fixture.hall.signal('SIGHUP');
  return until('the file is read again', async () => {
    const { projects: now } = await fixture.get('/v1/projects');
    return isDone(namesOf(now)) && now;
  });
}

const named = (projects: readonly Json[], name: string) =>
  projects.find((project) => project.name === name);

for (const on of API_STORES) {
  describe(`projects, on ${on.store}`, () => {
    const shared = on.sharedHall({ more: { projects: [DECLARED], invokers: [INVOKER] } });

    shared.test('GH-021a: projects are registered by YAML, with sources', async (fixture) => {
      const shop = await fixture.get('/v1/projects/shop');
      assert.deepEqual(shop.sources, SOURCES);
      const file = basename(fixture.hall.config);
      assert.deepEqual(shop.declared, { file, line: lineOf(fixture, 'shop') });
      const { sources } = await fixture.get('/v1/sources');
      assert.deepEqual(
        sources.map(({ id, kind }: Json) => [id, kind]),
        [
          ['shop-github-issues', 'github-issues'],
          ['shop-spiral-grove', 'spiral-grove'],
        ],
      );
    });

    shared.test('GH-021a: projects are registered by API, with sources', async (fixture) => {
      const { name } = await fixture.project({ sources: SOURCES });
      const added = await fixture.get(`/v1/projects/${name}`);
      assert.deepEqual([added.sources, added.declared], [SOURCES, null]);
      const { sources } = await fixture.get('/v1/sources');
      assert.equal(sources.filter(({ project }: Json) => project === name).length, 2);
      await fixture.caller.call('DELETE', `/v1/projects/${name}`);
    });

    shared.test(
      'a project that the file declares cannot be changed by the API, and the refusal names file and line',
      async (fixture) => {
        const answers = [
          await fixture.caller.call('PATCH', '/v1/projects/shop', { max_workers: 1 }),
          await fixture.caller.call('DELETE', '/v1/projects/shop'),
          await fixture.caller.post('/v1/projects', { name: 'shop' }),
        ];
        const place = `${basename(fixture.hall.config)}:${lineOf(fixture, 'shop')}`;
        for (const { status, body } of answers) {
          assert.deepEqual([status, body.code], [409, 'declared_in_file']);
          assert.ok(body.detail.includes(place), body.detail);
        }
        assert.equal((await fixture.get('/v1/projects/shop')).max_workers, 7);
      },
    );

    shared.test(
      'a project that the file declares can be paused and resumed by the API',
      async (fixture) => {
        const paused = await fixture.post('/v1/projects/shop/pause', { because: 'lunch' });
        assert.equal(paused.paused.because, 'lunch');
        assert.equal((await fixture.post('/v1/projects/shop/resume')).paused, null);
      },
    );

    shared.test(
      'an invoker that the file declares can be paused and resumed by the API, and not changed otherwise',
      async (fixture) => {
        assert.ok((await fixture.post('/v1/invokers/ada/pause')).paused);
        assert.equal((await fixture.post('/v1/invokers/ada/resume')).paused, null);
        for (const method of ['PATCH', 'DELETE', 'POST']) {
          const { status } = await fixture.caller.call(method, '/v1/invokers/ada', {
            weekly_cap: 99,
          });
          assert.ok(status === 404 || status === 405, `${method} ${status}`);
        }
        assert.equal((await fixture.get('/v1/invokers')).invokers[0].weekly_cap, 5);
      },
    );

    shared.test(
      'GH-021d: on SIGHUP, declared projects follow the file, and those made by the API remain',
      async (fixture) => {
        const made = await fixture.project();
        const changed = { ...DECLARED, max_workers: 9 };
        const now = await reread(fixture, [changed, { name: 'club' }], (names) =>
          names.includes('club'),
        );
        assert.equal(named(now, 'shop').max_workers, 9);
        assert.ok(named(now, made.name), 'what the API made is not the file’s business');
        await reread(fixture, [DECLARED], (names) => !names.includes('club'));
      },
    );

    shared.test(
      'GH-021e: a project that left the file with open tasks is paused and shown, not deleted',
      async (fixture) => {
        const both = [DECLARED, { name: 'bank' }];
        await reread(fixture, both, (names) => names.includes('bank'));
        const { tasks } = await fixture.post('/v1/tasks', { project: 'bank', title: 'open' });
        await reread(fixture, [DECLARED, { name: 'other' }], (names) => names.includes('other'));
        const { paused, counts } = await fixture.get('/v1/projects/bank');
        assert.match(paused.because, /left the configuration file with open tasks/);
        assert.equal(counts.available, 1);
        const worker = await fixture.worker();
        assert.equal((await worker.claim()).status, 204, 'and nothing in it starts');

        assert.match(paused.because, /guildhall project remove bank/);

        const back = await reread(fixture, both, (names) => !names.includes('other'));
        assert.equal(named(back, 'bank').paused, null, 'until it is back');
        assert.equal((await worker.claimed()).task.id, tasks[0].id);
      },
    );

    shared.test(
      'a project that left the file can be removed by API and command line once it has no open task',
      async (fixture) => {
        const leaving = ['mill', 'port'];
        await reread(fixture, [DECLARED, ...leaving.map((name) => ({ name }))], (names) =>
          leaving.every((name) => names.includes(name)),
        );
        for (const project of leaving) {
          await fixture.post('/v1/tasks', { project, title: 'open' });
        }
        const declared = await fixture.caller.call('DELETE', '/v1/projects/mill');
        assert.equal(declared.body.code, 'declared_in_file');
        await reread(fixture, [DECLARED, { name: 'sign' }], (names) => names.includes('sign'));
        const busy = await fixture.caller.call('DELETE', '/v1/projects/mill');
        assert.equal(busy.body.code, 'project_has_open_tasks');

        for (const project of leaving) {
          const { tasks } = await fixture.get(`/v1/tasks?project=${project}`);
          for (const { id } of tasks) await fixture.post(`/v1/tasks/${id}/cancel`);
        }
        assert.equal((await fixture.caller.call('DELETE', '/v1/projects/mill')).status, 204);
        const { config, folder } = fixture.hall;
        const args = ['project', 'remove', 'port', '--config', config];
        assert.equal((await guildhall(args, { cwd: folder })).code, 0);
        const left = await reread(fixture, [DECLARED], (names) => !names.includes('sign'));
        assert.deepEqual(
          left.filter(({ name }: Json) => leaving.includes(name)),
          [],
        );
      },
    );

    shared.test(
      'GH-045a: a project declared in YAML has every setting of the file',
      async (fixture) => {
        const shop = await fixture.get('/v1/projects/shop');
        for (const [key, value] of Object.entries(DECLARED))
          assert.deepEqual(shop[key], value, key);
      },
    );

    shared.test(
      'GH-045b: on SIGHUP, a file with mistakes leaves the projects as they are',
      async (fixture) => {
        const before = readFileSync(fixture.hall.config, 'utf8');
        const { projects } = await fixture.get('/v1/projects');
        writeFileSync(fixture.hall.config, before.replace('"max_workers": 7', '"max_worker": 7'));
        fixture.hall.signal('SIGHUP');
        const mistake = /projects\[0\]\.max_worker: is not a known key/;
        await until('the mistake is logged', () => mistake.test(fixture.hall.output));
        assert.deepEqual((await fixture.get('/v1/projects')).projects, projects);
        writeFileSync(fixture.hall.config, before);
      },
    );
  });
}

for (const on of STORES) {
  describe(`projects after a restart, on ${on.store}`, () => {
    on.test(
      'GH-021d: the file is read at start, and projects made by the API are kept in the database',
      async (place) => {
        const hall = await place.start({ projects: { shop: 1 } });
        const caller = hall.caller();
        await caller.post('/v1/projects', { name: 'made', max_workers: 4 });
        const { body: made } = await caller.get('/v1/projects/made');
        caller.close();
        await hall.stop();
        writeConfig(hall, { projects: [{ name: 'shop', max_workers: 6 }] });
        await hall.start();
        const { body } = await hall.caller().get('/v1/projects');
        assert.equal(named(body.projects, 'shop').max_workers, 6);
        assert.deepEqual(named(body.projects, 'made'), made);
      },
    );

    on.test(
      'GH-045b: a start with mistakes in the configuration names each with file, line and path, and starts no hall',
      async (place) => {
        const hall = await place.create();
        const { hall: settings } = JSON.parse(readFileSync(hall.config, 'utf8'));
        const lines = [
          `hall: ${JSON.stringify(settings)}`,
          'projects:',
          '  - name: shop',
          '    max_worker: 3',
          '    sources: [{ kind: jira }]',
          '  - name: Shop!',
          '  - name: shop',
          '    default_size: huge',
          '  - repo: gitlab:acme/shop',
          'invokers:',
          '  - { handle: ada, credential: $NOT_SET_ANYWHERE }',
        ];
        writeFileSync(hall.config, `${lines.join('\n')}\n`);
        const { code, stderr } = await guildhall(['start', '--config', hall.config], {
          cwd: hall.folder,
        });
        assert.equal(code, 2);
        const file = basename(hall.config);
        for (const [line, path, expected] of [
          [4, 'projects[0].max_worker', 'did you mean max_workers?'],
          [5, 'projects[0].sources[0].kind', ''],
          [6, 'projects[1].name', 'must be 1 to 64'],
          [7, 'projects[2].name', 'is already the name of projects[0]'],
          [8, 'projects[2].default_size', 'must be XS, S, M, L or XL'],
          [9, 'projects[3].name', 'is missing'],
          [9, 'projects[3].repo', 'names a forge that is not declared under forges'],
          [11, 'invokers[0].credential', 'NOT_SET_ANYWHERE is not set'],
        ] as const) {
          const printed = stderr
            .split('\n')
            .find((each) => each.includes(`${file}:${line}:`) && each.includes(` ${path}: `));
          assert.ok(printed?.includes(expected), `${line} ${path} in\n${stderr}`);
        }
      },
    );

    on.test('GH-044: one command starts a hall in an empty folder', async (place) => {
      const store = await place.store();
      const cwd = mkdtempSync(join(tmpdir(), 'hall-'));
      const environment: Record<string, string> =
        on.store === 'SQLite' ? {} : { GUILDHALL_STORE: store };
      const start = begun(['start', '--listen', '127.0.0.1:0'], { cwd, environment });
      const line = await until('it says that it started', () => {
        const lines = start.stdout().split('\n');
        return lines.find((each) => each.includes('"hall started"'));
      });
      const started = JSON.parse(line);
      assert.equal(started.store, on.store === 'SQLite' ? 'sqlite' : 'postgres');
      const token = readFileSync(join(cwd, 'data', 'token'), 'utf8').trim();
      const caller = new Caller(started.url, token);
      assert.equal((await caller.get('/v1/board')).status, 200);
      assert.equal((await caller.post('/v1/projects', { name: 'shop' })).status, 201);
      const task = { project: 'shop', title: 'the first' };
      assert.equal((await caller.post('/v1/tasks', task)).status, 201);
      caller.close();
      start.signal('SIGTERM');
      assert.equal(await start.ended, 0);
      rmSync(cwd, { recursive: true, force: true });
    });
  });
}
