import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Caller } from '../support/caller.ts';
import { searched, until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { begun, collect, type Ended, guildhall, typed } from './cli-command.ts';

let hall: HallInProcess;
let caller: Caller;

before(async () => {
  hall = await HallInProcess.start({ projects: { shop: 5, bank: 2 } });
  caller = hall.caller();
});
after(async () => {
  caller.close();
  await hall[Symbol.asyncDispose]();
});

function on(...args: string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

/** Runs a command that must succeed and returns its JSON output. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await on(...args, '--json');
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

async function add(title: string, ...more: string[]): Promise<string> {
  const { tasks } = await json('task', 'add', title, '--project', 'shop', ...more);
  return tasks[0].id;
}

async function worker() {
  const { body } = await caller.post('/v1/workers', {
    instance: 'dev-default',
    brings_model: true,
  });
  return { id: body.id as string, caller: caller.as(body.token) };
}

describe('tasks on the command line', () => {
  test('X-010c: the task commands post, find, show, edit, cancel and reopen a task and print JSON', async () => {
    const id = await add('Show prices with tax', '--size', 's', '--label', 'frontend');
    await searched(caller);
    const { tasks } = await json('task', 'list', 'prices', '--project', 'shop');
    assert.deepEqual(
      tasks.map((task: { id: string; size: string }) => [task.id, task.size]),
      [[id, 'S']],
    );
    assert.equal((await json('task', 'edit', id, '--size', 'L')).state, 'available');
    const shown = await json('task', 'show', id);
    assert.deepEqual([shown.task.size, shown.task.labels], ['L', ['frontend']]);
    assert.equal((await json('task', 'cancel', id, '--because', 'no need')).state, 'cancelled');
    const again = await json('task', 'reopen', id);
    assert.notEqual(again.id, id);
    await json('task', 'cancel', again.id);
  });

  test('X-003a: task why names the rule that keeps a task from running and what would free it', async () => {
    const id = await add('Waits for somebody');
    const { stdout } = await on('task', 'why', id);
    assert.match(stdout, new RegExp(`^${id} is available since `));
    assert.match(stdout, /no_(worker|invoker): .*\n {2}unblocked when /);
    const { reasons } = await json('task', 'why', id);
    assert.ok(reasons.length > 0 && reasons[0].frees);
    await json('task', 'cancel', id);
  });

  test('X-005a X-005b: task release makes a held task available, and a thread is handed over to a person and back', async () => {
    const id = await add('Taken');
    const mine = await worker();
    const claim = await mine.caller.post('/v1/claims', { worker: mine.id });
    assert.equal(claim.body.task.id, id);
    assert.equal((await json('task', 'release', id)).state, 'available');
    const { thread } = (await json('task', 'show', id)).task;
    assert.ok((await json('thread', 'handover', thread)).handed_over);
    const none = await mine.caller.post('/v1/claims', { worker: mine.id });
    assert.equal(none.status, 204);
    assert.equal((await json('thread', 'handback', thread)).handed_over, null);
    await json('task', 'cancel', id);
    mine.caller.close();
  });

  test('task answer makes a task available whose agent asked a question', async () => {
    const id = await add('Ambiguous');
    const mine = await worker();
    const { body } = await mine.caller.post('/v1/claims', { worker: mine.id });
    await mine.caller.post(`/v1/runs/${body.run}/start`, { fence: body.fence });
    const question = { fence: body.fence, question: 'Round up\u001b[2J or down?' };
    assert.equal((await mine.caller.post(`/v1/runs/${body.run}/ask`, question)).status, 200);
    const shown = await on('task', 'show', id);
    assert.match(shown.stdout, /asks: Round up\\x1b\[2J or down\?/, 'nothing moves the cursor');
    assert.equal((await json('task', 'answer', id, 'Down.')).state, 'available');
    await json('task', 'cancel', id);
    mine.caller.close();
  });

  test('task add --file posts all tasks with their dependencies, or none of them and lists every mistake', async () => {
    const file = join(hall.folder, 'tasks.yaml');
    writeFileSync(file, '- { title: First, ref: a }\n- { title: Second, depends_on: [a] }\n');
    const { tasks } = await json('task', 'add', '--file', file, '--project', 'bank');
    assert.deepEqual(
      tasks.map((task: { state: string }) => task.state),
      ['available', 'blocked'],
    );

    writeFileSync(
      file,
      '- { title: Third }\n- { titel: Fourth }\n- { title: Fifth, size: huge }\n',
    );
    const bad = await on('task', 'add', '--file', file, '--project', 'bank');
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /\[1\]\.titel: .*title/);
    assert.match(bad.stderr, /\[2\]\.size: must be XS, S, M, L or XL/);
    assert.deepEqual((await json('task', 'list', '--project', 'bank')).tasks.length, 2);
  });

  test('a single mistake in a request is printed once', async () => {
    const { code, stderr } = await on(
      'task',
      'add',
      'Small',
      '--project',
      'bank',
      '--size',
      'tiny',
    );
    assert.equal(code, 2);
    assert.equal(stderr, 'guildhall: --size must be XS, S, M, L or XL\n');

    const refused = await on('task', 'add', 'Late', '--project', 'bank', '--depends-on', 't-99999');
    assert.equal(refused.code, 3);
    assert.equal(
      refused.stderr,
      'guildhall: --depends-on: t-99999 does not exist\n',
      'with its place',
    );
  });

  test('task add --file - reads tasks from standard input', async () => {
    const input = JSON.stringify([{ project: 'bank', title: 'Piped' }]);
    const args = ['task', 'add', '--file', '-', '--json', '--config', hall.config];
    const { code, stdout } = await guildhall(args, { cwd: hall.folder, input });
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).tasks.length, 1);
  });
});

describe('the hall on the command line', () => {
  test('X-004a X-004b: the hall, a project and an agent are paused and resumed, and the hall is drained, by command', async () => {
    assert.ok((await json('pause', '--because', 'fire drill')).paused);
    const board = await on('board');
    assert.match(
      board.stdout,
      /the hall has been paused since .* \(by operator:local\): fire drill/,
    );
    assert.equal((await json('resume')).paused, null);
    assert.ok((await json('project', 'pause', 'bank')).paused);
    assert.equal((await json('project', 'resume', 'bank')).paused, null);
    assert.ok((await json('agents', 'pause', 'dev-default')).paused);
    assert.equal((await json('agents', 'resume', 'dev-default')).paused, null);
    assert.ok((await json('drain')).draining);
    assert.equal((await json('resume')).draining, null);
  });

  test('X-004a: an operator without the hall’s secrets can pause and resume an invoker', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'hall-'));
    const invokers = 'invokers: [{ handle: ada, credential: $MODEL_KEY, weekly_cap: 3 }]';
    writeFileSync(join(cwd, 'guildhall.yaml'), `hall: { listen: "127.0.0.1:0" }\n${invokers}\n`);
    const started = begun(['start'], { cwd, environment: { MODEL_KEY: 'sk-0123456789' } });
    await until('the hall is open', () => existsSync(join(cwd, 'data', 'hall.json')));
    const paused = await guildhall(['invokers', 'pause', 'ada', '--json'], { cwd });
    const resumed = await guildhall(['invokers', 'resume', 'ada', '--json'], { cwd });
    const listed = await guildhall(['invokers', 'list'], { cwd });
    started.signal('SIGTERM');
    await started.ended;
    rmSync(cwd, { recursive: true });
    assert.ok(JSON.parse(paused.stdout).paused);
    assert.equal(JSON.parse(resumed.stdout).paused, null);
    assert.match(listed.stdout, /\nada +0\/3 +all /);
  });

  test('X-020a: board --at shows the board as it was at an earlier time', async () => {
    const id = await add('Later than then');
    const { task } = await json('task', 'show', id);
    const then = new Date(Date.parse(task.posted_at) - 1).toISOString();
    const [now, past] = [await json('board'), await json('board', '--at', then)];
    assert.equal(now.totals.open, past.totals.open + 1);
    assert.ok(past.seq < now.seq);
    assert.equal((await json('board', '--at', '2026-01-01')).seq, 0, 'when that day began');
    await json('task', 'cancel', id);
  });

  test('board --at refuses a time in the future and text that is not a time', async () => {
    const later = await on('board', '--at', new Date(Date.now() + 3_600_000).toISOString());
    assert.equal(later.code, 2);
    assert.match(later.stderr, /is in the future; give a time in the past/);
    const never = await on('board', '--at', 'yesterday');
    assert.equal(never.code, 2);
    assert.match(never.stderr, /must be a time such as 2026-03-01T12:00:00Z/);
  });

  test('X-010c: events --follow --json prints one JSON object per line and exits with 130 on SIGINT', async () => {
    const child = typed(['events', '--follow', '--json', '--limit', '1', '--config', hall.config], {
      cwd: hall.folder,
    });
    const stdout = collect(child.stdout);
    await until('it follows', () => stdout().includes('\n'));
    const { body } = await caller.post('/v1/tasks', { project: 'bank', title: 'Seen at once' });
    await until('it is seen', () => stdout().includes('Seen at once'));
    child.kill('SIGINT');
    await once(child, 'close');
    assert.equal(child.exitCode, 130);
    const events = stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(events.some(({ facts }) => facts.task === body.tasks[0].id));
    const numbers = events.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].toSorted((a, b) => a - b),
    );
  });

  test('a named token is created, listed without its secret and revoked', async () => {
    const made = await json('token', 'create', 'ada', '--role', 'viewer');
    assert.ok(made.token.length > 40);
    const { tokens } = await json('token', 'list');
    assert.deepEqual(
      tokens.map((token: { name: string }) => token.name),
      ['ada'],
    );
    assert.ok(!JSON.stringify(tokens).includes(made.token));
    assert.equal((await json('token', 'revoke', 'ada')).revoked, true);
  });

  test('project list prints a table, without colours unless they are forced', async () => {
    const { stdout, stderr } = await on('project', 'list');
    assert.equal(stderr, '');
    assert.ok(!stdout.includes('\u001b'), 'no colours without a terminal');
    assert.match(stdout, /^PROJECT +REPO +RUNNING/);
    assert.match(stdout, /\nshop /);
    const forced = await guildhall(['project', 'list', '--config', hall.config], {
      cwd: hall.folder,
      environment: { FORCE_COLOR: '1' },
    });
    assert.ok(forced.stdout.includes('\u001b'));
  });
});

describe('exit codes', () => {
  test('X-010c: exit code 1 when no hall runs, with the command that starts one', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'hall-'));
    const { code, stdout, stderr } = await guildhall(['board'], { cwd });
    rmSync(cwd, { recursive: true });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /no hall is running on .*data; start it with: .*guildhall\S* start/);
  });

  test('X-010c: exit code 1 when the token is not accepted, with the option it came from', async () => {
    const { code, stderr } = await on('board', '--token', 'wrong');
    assert.equal(code, 1);
    assert.match(stderr, /sent the token of --token/);
  });

  test('X-010c: exit code 2 for an unknown command or option, with the nearest known one', async () => {
    const command = await on('tsak', 'list');
    const option = await on('task', 'list', '--porject', 'shop');
    assert.deepEqual([command.code, option.code], [2, 2]);
    assert.match(command.stderr, /Did you mean task\?/);
    assert.match(option.stderr, /Did you mean --project\?/);
  });

  test('X-010c: exit code 1 for an unknown id, with the code of the problem in JSON', async () => {
    for (const verb of ['show', 'why', 'cancel']) {
      const { code, stdout, stderr } = await on('task', verb, 't-999999', '--json');
      assert.deepEqual([code, stdout], [1, ''], verb);
      assert.equal(JSON.parse(stderr).error.code, 'unknown_task');
    }
    const agent = await on('agents', 'pause', 'nobody', '--json');
    assert.match(JSON.parse(agent.stderr).error.hint, /^list them with: .* agents list --config /);
  });

  test('the token in the data folder is not sent to an address given by --url or --hall', async () => {
    const authorizations: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      authorizations.push(request.headers.authorization);
      response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const looking = await on('board', '--url', url);
    const { code, stderr } = await on('worker', 'run', '--hall', url);
    server.close();
    assert.deepEqual([looking.code, code, authorizations], [1, 1, [undefined, undefined]]);
    assert.match(stderr, /no token was sent/);
    assert.match(stderr, /create one .* with: .* token create NAME --role worker/);
    assert.match(stderr, /--token, \$GUILDHALL_TOKEN or \$GUILDHALL_TOKEN_FILE/);
  });
});
