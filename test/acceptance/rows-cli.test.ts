import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { API_STORES } from '../support/acceptance-stores.ts';
import { working } from '../support/acceptance-tools.ts';
import { gitAs } from '../support/git-fixture.ts';
import { type HallFixture, type Json, until } from '../support/hall-fixture.ts';
import { ROOT } from '../support/tree.ts';
import { collect, type Ended, guildhall, typed } from './cli-command.ts';

const INVOKER = { handle: 'ada', credential: '$GUILDHALL_ROWS_KEY', weekly_cap: 5 };
process.env['GUILDHALL_ROWS_KEY'] = 'a-key-that-opens-nothing';
const environment = { GUILDHALL_ROWS_KEY: 'a-key-that-opens-nothing' };

/** Commands that run until they are stopped, or that need an empty store; other tests cover them. */
const ELSEWHERE = [
  'start',
  'stop',
  'demo',
  'worker run',
  'restore',
  'import',
  'model play',
  'secrets rotate',
  'forge add',
];

function repository(folder: string): { readonly repo: string; readonly commit: string } {
  mkdirSync(folder);
  gitAs(folder, 'init', '--quiet', '--initial-branch=main');
  gitAs(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  return { repo: `file:${folder}`, commit: gitAs(folder, 'rev-parse', 'HEAD').trim() };
}

/** Objects of every kind and state, so each command has one to act on. */
async function prepared(fixture: HallFixture) {
  const shop = await fixture.project();
  const [waits, cancels, edits, machineServices] = await shop.postAll([{}, {}, {}, {}]);
  for (const task of [waits, cancels, edits, machineServices]) {
    const { thread } = await fixture.task(task ?? '');
    await fixture.post(`/v1/threads/${thread}/handover`);
  }
  const { worker: first, claim: asked } = await shop.held();
  await first.mustCall('ask', asked, { question: 'Which?' });
  const { worker: second, claim: deferred } = await shop.held();
  await second.mustCall('report', deferred, { outcome: 'quota_exceeded' });
  const { worker: third, claim: ended } = await shop.held();
  await third.mustCall('log', ended, { entries: ['one', 'two'] });
  const pr = { number: 1, url: 'https://forge.example/pull/1' };
  await third.mustCall('report', ended, { outcome: 'pr_created', branch: 'hall/dev/issue-1', pr });
  const { worker: fourth, claim: reviewed } = await shop.held();
  const made = { outcome: 'pr_created', branch: 'hall/dev/issue-2', commit: 'c0ffee0', pr };
  await fourth.mustCall('report', reviewed, made);
  const checks = [{ name: 'tests', run: 'true' }];
  const { repo, commit } = repository(join(fixture.hall.folder, 'own'));
  const own = await fixture.project({ repo, checks });
  const { worker: fifth, claim: merged } = await own.held();
  await fifth.mustCall('report', merged, { ...made, commit, pr: null });
  const { claim: held, worker } = await shop.held();
  const boss = await shop.held({ size: 'XL' }, { instance: 'boss-default' });
  const children = Array.from({ length: 5 }, (_, n) => ({ title: `part ${n}` }));
  await boss.worker.complete(boss.claim, { children });
  const agent = await working(fixture);
  const { approval: approved } = await agent.ask('rm -r ./temp');
  const { approval: denied } = await agent.ask('rm -r ./other');
  const { id: rule } = await fixture.post('/v1/rules', {
    verdict: 'deny',
    match: { program: 'x' },
  });
  const thread = (await fixture.task(machineServices ?? '')).thread;
  const empty = await fixture.project();
  await fixture.post('/v1/tokens', { name: 'eve', role: 'viewer' });
  return {
    shop: shop.name,
    empty: empty.name,
    waits,
    cancels,
    edits,
    thread,
    worker: worker.id,
    approved,
    denied,
    rule,
    asked: asked.task.id,
    deferred: deferred.task.id,
    ended: ended.task.id,
    merging: ended.task.thread,
    reviewed: reviewed.task.thread,
    merged: merged.task.thread,
    held: held.task.id,
    split: boss.claim.task.id,
  };
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

/** Every command in the order of the test, with its arguments. */
function everyCommand(is: Prepared, folder: string): Readonly<Record<string, readonly unknown[]>> {
  return {
    init: [join(folder, 'fresh')],
    doctor: [],
    'config check': [],
    'config show': [],
    board: [],
    'project add': ['made-by-hand'],
    'project list': [],
    'project show': [is.shop],
    'project edit': [is.shop, '--max-rounds', '5'],
    'project remove': [is.empty],
    'project pause': [is.shop],
    'project resume': [is.shop],
    'task add': ['A task', '--project', is.shop],
    'task list': [],
    'task show': [is.waits],
    'task why': [is.waits],
    'task log': [is.ended],
    'task cancel': [is.cancels],
    'task retry': [is.deferred],
    'task reopen': [is.ended],
    'task release': [is.held],
    'task edit': [is.edits, '--size', 'L'],
    'task approve': [is.split],
    'task answer': [is.asked, 'This one.'],
    'thread list': [],
    'thread show': [is.thread],
    'thread diff': [is.merged],
    'thread handback': [is.thread],
    'thread handover': [is.thread],
    'thread review': [is.reviewed, '--approve'],
    'thread recheck': [is.merged],
    'thread merge': [is.merged],
    'thread close': [is.reviewed],
    'thread mark-merged': [is.merging],
    'worker list': [],
    'worker drain': [is.worker],
    'agents list': [],
    'agents pause': ['dev-default'],
    'agents resume': ['dev-default'],
    'invokers list': [],
    'invokers pause': ['ada'],
    'invokers resume': ['ada'],
    pause: [],
    drain: [],
    resume: [],
    ...aboutTools(is),
    events: ['--limit', '3'],
    ...ABOUT_ACCESS,
    backup: [join(folder, 'rows.backup')],
    export: [],
    'audit verify': [],
    completion: ['bash'],
    version: [],
  };
}

const ABOUT_ACCESS = {
  'token create': ['bob'],
  'token list': [],
  'token revoke': ['eve'],
  'secrets set': ['spare', '--kind', 'forge_token'],
  'secrets list': [],
  'secrets remove': ['spare'],
  'sources list': [],
  'sources sync': [],
};

function aboutTools(is: Prepared): Readonly<Record<string, readonly unknown[]>> {
  return {
    'approvals list': [],
    'approvals approve': [is.approved],
    'approvals deny': [is.denied, '--because', 'not this one'],
    'rules list': [],
    'rules add': ['--verdict', 'deny', '--program', 'frobnicate'],
    'rules remove': [is.rule],
    'rules test': ['npm test'],
    'rules audit': [],
  };
}

function type(
  fixture: HallFixture,
  command: string,
  args: readonly unknown[] = [],
): Promise<Ended> {
  const usesNothing = COMMANDS.find(({ path }) => path === command)?.uses === 'nothing';
  const where = usesNothing ? [] : ['--config', fixture.hall.config];
  const line = [...command.split(' '), ...args.map(String), ...where];
  // Only commands that ask for a value read it.
  return guildhall(line, { cwd: fixture.hall.folder, environment, input: 'a-secret-value-12' });
}

for (const on of API_STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall({ more: { invokers: [INVOKER] } });

    describe('every command', () => {
      shared.test(
        'X-010c: every command prints JSON with --json, one object or one per line, and exits with 0',
        async (fixture) => {
          mkdirSync(join(fixture.hall.folder, 'fresh'));
          const commands = everyCommand(await prepared(fixture), fixture.hall.folder);
          const known = COMMANDS.map(({ path }) => path).filter(
            (path) => !ELSEWHERE.includes(path),
          );
          assert.deepEqual(Object.keys(commands).toSorted(), known.toSorted());
          for (const [command, args] of Object.entries(commands)) {
            const { code, stdout, stderr } = await type(fixture, command, [...args, '--json']);
            assert.equal(code, 0, `${command}: ${stderr}${stdout}`);
            const lines = stdout.trimEnd().split('\n');
            assert.ok(
              lines.length === 1 || ['events', 'task log', 'export'].includes(command),
              command,
            );
            for (const line of lines) assert.equal(typeof JSON.parse(line), 'object', command);
          }
        },
      );
    });

    describe('exit codes', () => {
      shared.test('X-010c: the exit code is 0 on success', async (fixture) => {
        assert.equal((await type(fixture, 'board')).code, 0);
      });

      shared.test(
        'X-010c: the exit code is 1 on failure, for instance when no hall runs',
        async (fixture) => {
          const line = ['board', '--json', '--data', join(fixture.hall.folder, 'nothing-here')];
          const { code, stdout, stderr } = await guildhall(line, { cwd: fixture.hall.folder });
          assert.deepEqual([code, stdout], [1, '']);
          const { error } = JSON.parse(stderr);
          assert.deepEqual([error.code, error.exit], ['no_hall', 1]);
        },
      );

      shared.test(
        'X-010c: the exit code is 2 on wrong usage, and --json reports it as JSON',
        async (fixture) => {
          for (const [command, args] of [
            ['bord', []],
            ['task', []],
            ['task why', []],
            ['board', ['--att', '2026-01-01T00:00:00Z']],
            ['task add', ['x', '--project', 'no such name']],
            ['task edit', ['t-1']],
          ] as const) {
            const plain = await type(fixture, command, args);
            assert.deepEqual([plain.code, plain.stdout], [2, ''], command);
            assert.notEqual(plain.stderr, '');
            const { code, stdout, stderr } = await type(fixture, command, [...args, '--json']);
            assert.deepEqual([code, stdout], [2, ''], command);
            const { error } = JSON.parse(stderr);
            assert.equal(error.exit, 2);
            assert.notEqual(error.message, '');
          }
        },
      );

      shared.test(
        'X-010c: the exit code is 3 when a rule refuses, with the code of the refusal',
        async (fixture) => {
          const shop = await fixture.project();
          const task = await shop.post();
          await fixture.post(`/v1/tasks/${task}/cancel`);
          const { code, stderr } = await type(fixture, 'task cancel', [task, '--json']);
          assert.equal(code, 3);
          const { error } = JSON.parse(stderr);
          assert.deepEqual([error.code, error.exit], ['task_closed', 3]);
          assert.equal((await type(fixture, 'task cancel', [task])).code, 3);
        },
      );

      shared.test('X-010c: the exit code is 130 on SIGINT', async (fixture) => {
        const line = ['events', '--follow', '--json', '--config', fixture.hall.config];
        const child = typed(line, { cwd: fixture.hall.folder });
        const stdout = collect(child.stdout);
        await until('it follows', () => stdout().includes('\n'));
        const ended = once(child, 'exit');
        child.kill('SIGINT');
        await ended;
        assert.equal(child.exitCode, 130);
      });

      shared.test(
        'X-010c: the exit codes are documented in the help and in the reference',
        async (fixture) => {
          const codes =
            'Exit codes: 0 ok, 1 failed or not found, 2 invalid usage, 3 refused by a rule, 130 interrupted.';
          const { stdout } = await guildhall(['--help'], { cwd: fixture.hall.folder });
          assert.ok(stdout.includes(codes));
          assert.ok(readFileSync(join(ROOT, 'docs/reference/cli.md'), 'utf8').includes(codes));
        },
      );
    });

    describe('OpenAPI and client', () => {
      shared.test(
        'X-010a: the OpenAPI document describes every route of the running hall',
        async (fixture) => {
          const document = await fixture.get('/openapi.json');
          assert.equal(document.openapi, '3.1.0');
          const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
            Object.entries<Json>(methods).map(([method, { operationId }]) => [
              operationId,
              `${method.toUpperCase()} ${path}`,
            ]),
          );
          const routes = Object.entries(ROUTES).map(([id, { method, path }]) => [
            id,
            `${method} ${path}`,
          ]);
          assert.deepEqual(Object.fromEntries(described), Object.fromEntries(routes));
        },
      );

      shared.test('X-010b: the typed client works with the running hall', async (fixture) => {
        const { url, token } = fixture.hall;
        const client = createClient({ url, token });
        const shop = await fixture.project();
        const { tasks } = await client.call('postTasks', {
          body: { project: shop.name, title: 'typed' },
        });
        const id = tasks[0]?.id ?? assert.fail('nothing was posted');
        assert.equal((await client.call('getTask', { path: { id } })).task.title, 'typed');
        await assert.rejects(client.call('retryTask', { path: { id } }), {
          name: 'ProblemReceived',
        });
      });
    });
  });
}
