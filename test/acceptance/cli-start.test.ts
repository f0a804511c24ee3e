import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Caller } from '../support/caller.ts';
import { HallFixture, until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { BIN, HallProcess } from '../support/hall-process.ts';
import { collect, guildhall, onlyGit, typed } from './cli-command.ts';

/** Lines of a hall's log with this message. */
function logged(output: string, message: string): readonly Record<string, unknown>[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['message'] === message);
}

/** Starts a hall without a configuration file and returns its first log line. */
async function started(cwd: string) {
  const child = typed(['start', '--listen', '127.0.0.1:0'], { cwd });
  const stdout = collect(child.stdout);
  const line = await until('it says that it started', () => {
    return logged(stdout(), 'hall started')[0] ?? false;
  });
  return { child, line };
}

describe('starting a hall', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'hall-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  test('GH-044: one command starts a hall in an empty folder, without a file or another service', async () => {
    const { child, line } = await started(cwd);
    assert.equal(line['store'], 'sqlite');
    const token = readFileSync(join(cwd, 'data', 'token'), 'utf8').trim();
    const answer = await new Caller(String(line['url']), token).get('/v1/board');
    assert.equal(answer.status, 200);

    assert.equal(statSync(join(cwd, 'data')).mode & 0o077, 0, 'the data folder is its own');
    assert.equal(statSync(join(cwd, 'data', 'token')).mode & 0o777, 0o600);
    assert.equal(Buffer.from(token, 'base64url').length, 32);
    const file = JSON.parse(readFileSync(join(cwd, 'data', 'hall.json'), 'utf8'));
    assert.deepEqual([file.url, file.pid], [line['url'], child.pid]);
    child.kill('SIGTERM');
    await once(child, 'exit');
    assert.equal(child.exitCode, 0);
  });

  test('a hall keeps running when its log is no longer read, and exits cleanly on SIGTERM', async () => {
    const { child, line } = await started(cwd);
    child.stdout?.destroy();
    child.stderr?.destroy();
    const token = readFileSync(join(cwd, 'data', 'token'), 'utf8').trim();
    const caller = new Caller(String(line['url']), token);
    for (const name of ['shop', 'bank', 'site']) {
      writeFileSync(join(cwd, 'guildhall.yaml'), `projects: [{ name: ${name} }]`);
      child.kill('SIGHUP');
      await until(`${name} is read, which is logged`, async () => {
        const { body } = await caller.get('/v1/projects');
        return body.projects.some((project: { name: string }) => project.name === name);
      });
    }
    child.kill('SIGTERM');
    await once(child, 'exit');
    assert.equal(child.exitCode, 0);
    assert.equal(existsSync(join(cwd, 'data', 'hall.json')), false);
    caller.close();
  });

  test('without a terminal, every log line of a hall is JSON', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 1 } });
    await hall.stop();
    for (const line of hall.output.trim().split('\n')) {
      const { time, level, message } = JSON.parse(line);
      assert.ok(time && level && message, line);
    }
  });

  test('start and doctor refuse a token that is too short or more than one word, with what to do', async () => {
    mkdirSync(join(cwd, 'data'));
    const file = join(cwd, 'data', 'token');
    for (const [token, expected] of [
      ['abc\n', /data\/token contains a token of fewer than 22 characters/],
      ['two words of more than enough letters', /data\/token contains more than one word/],
    ] as const) {
      writeFileSync(file, token, { mode: 0o600 });
      const { code, stderr } = await guildhall(['start', '--listen', '127.0.0.1:0'], { cwd });
      assert.equal(code, 1);
      assert.match(stderr, expected);
      assert.match(stderr, /remove it, and the next start creates a new one/);
      assert.match(
        (await guildhall(['doctor'], { cwd, environment: onlyGit(cwd) })).stdout,
        expected,
      );
      assert.equal(readFileSync(file, 'utf8'), token, 'it is left as it was');
    }
  });

  test('a second start on the same data folder is refused and names the running process', async () => {
    await using hall = await HallInProcess.start();
    const { code, stderr } = await guildhall(
      ['start', '--data', join(hall.folder, 'data'), '--listen', '127.0.0.1:0'],
      { cwd },
    );
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`in use by a running hall \\(process ${hall.pid} `));
    assert.equal((await hall.caller().get('/v1/board')).status, 200);
  });

  test('a start on an address in use is refused with what to do, and leaves the data folder free', async () => {
    await using hall = await HallInProcess.start();
    const listen = hall.url.replace('http://', '');
    const { code, stderr } = await guildhall(['start', '--listen', listen], { cwd });
    assert.equal(code, 1);
    assert.match(stderr, /^guildhall: 127\.0\.0\.1:\d+ is in use by another program\n.*--listen/);
    await using other = await HallInProcess.start({ folder: cwd });
    assert.equal((await other.caller().get('/v1/board')).status, 200);
  });

  test('GH-043: a hall that was killed has every acknowledged task after the next start', async () => {
    await using hall = await HallInProcess.create({ projects: { shop: 1 } });
    await hall.startProcess();
    const { stdout } = await guildhall(
      ['task', 'add', 'Show prices', '--json', '--config', hall.config],
      { cwd },
    );
    const [{ id }] = JSON.parse(stdout).tasks;
    await hall.stop('SIGKILL');
    assert.ok(existsSync(join(hall.folder, 'data', 'hall.json')), 'its file is left behind');
    const gone = await guildhall(['task', 'show', id, '--config', hall.config], { cwd });
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /no hall is running on .*; start it with: .*guildhall\S* start/);

    await hall.start();
    const shown = await guildhall(['task', 'show', id, '--config', hall.config], { cwd });
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /Show prices/);
  });

  test('a hall whose disk fails exits with an error and has every acknowledged task after the next start', async () => {
    const limited = `ulimit -f 1500; exec "${process.execPath}" "${BIN}" start --listen 127.0.0.1:0`;
    writeFileSync(join(cwd, 'guildhall.yaml'), 'projects: [{ name: shop }]\n');
    const child = spawn('bash', ['-c', limited], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const stdout = collect(child.stdout);
    const [line] = await until('it says that it started', () => {
      const lines = logged(stdout(), 'hall started');
      return lines.length > 0 && lines;
    });
    const token = readFileSync(join(cwd, 'data', 'token'), 'utf8').trim();
    const caller = new Caller(String(line?.['url']), token);
    const posted: string[] = [];
    let refused = 0;
    while (child.exitCode === null && refused === 0) {
      const task = { project: 'shop', title: 'Fill the disk', body: 'x'.repeat(100_000) };
      const answer = await caller.post('/v1/tasks', task).catch(() => undefined);
      if (answer?.status === 201) posted.push(answer.body.tasks[0].id);
      else refused = answer?.status ?? -1;
    }
    if (child.exitCode === null) await once(child, 'exit');
    assert.equal(child.exitCode, 1);
    assert.equal(logged(stdout(), 'store failed, hall exits').length, 1, stdout());

    await using again = await HallInProcess.start({ folder: cwd, projects: { shop: 1 } });
    const { body } = await again.caller().get('/v1/tasks?limit=200');
    const kept = new Set(body.tasks.map((task: { id: string }) => task.id));
    assert.ok(posted.length > 0);
    for (const id of posted) assert.ok(kept.has(id), `${id} was acknowledged`);
  });
});

/** Longer than any test waits for a hall to end, so a hall that ended did not wait for the grace period. */
const LONG_GRACE = { grace_seconds: 600 };

/** An incomplete request: a stopping hall stays up until it is disposed of. */
async function halfARequest(hall: HallProcess): Promise<Disposable> {
  const socket = connect(Number(new URL(hall.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const half = [
    'POST /v1/tasks HTTP/1.1',
    `host: ${new URL(hall.url).host}`,
    `authorization: Bearer ${hall.token}`,
    'content-type: application/json',
    'content-length: 9',
    // The hall answers this once it has the request; only then does it wait for the rest when it stops.
    'expect: 100-continue',
    '\r\n{',
  ].join('\r\n');
  socket.write(half);
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100 /);
  return { [Symbol.dispose]: () => void socket.destroy() };
}

describe('stopping a hall', () => {
  test('CH-098a: on SIGTERM a hall answers waiting claims and new changes with 503 and exits before the grace period ends', async () => {
    await using hall = await HallProcess.start({ projects: { shop: 1 }, hall: LONG_GRACE });
    const caller = hall.caller();
    const worker = await caller.post('/v1/workers', {
      instance: 'dev-default',
      brings_model: true,
    });
    const mine = caller.as(worker.body.token);
    const waiting = mine.post('/v1/claims', { worker: worker.body.id, wait_seconds: 60 });
    await until('the worker waits', async () => {
      const { body } = await caller.get('/v1/workers');
      return body.workers[0].waiting === true;
    });
    using pending = await halfARequest(hall);

    const stopped = hall.stop('SIGTERM');
    const polled = await waiting;
    assert.equal(polled.status, 503);
    assert.ok(Number(polled.headers['retry-after']) > 0);
    const write = await caller.post('/v1/tasks', { project: 'shop', title: 'Too late' });
    assert.equal(write.status, 503);
    assert.ok(Number(write.headers['retry-after']) > 0);
    caller.close();
    mine.close();
    pending[Symbol.dispose]();

    assert.equal(await stopped, 0);
    assert.ok(!existsSync(join(hall.folder, 'data', 'hall.json')));
    assert.equal(logged(hall.output, 'hall stopped').length, 1);
    assert.match(
      readFileSync(join(hall.folder, 'data', 'anchors.log'), 'utf8'),
      /^(\S+ \d+ [0-9a-f]{64}\n)+$/,
    );
  });

  test('GH-043: a hall that is stopped under load has every acknowledged task after the next start', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 1 }, hall: LONG_GRACE });
    const callers = Array.from({ length: 8 }, () => hall.caller());
    const posted: string[] = [];
    const away: number[] = [];
    const load = callers.map(async (caller) => {
      for (;;) {
        const task = { project: 'shop', title: 'Under load' };
        const answer = await caller.post('/v1/tasks', task).catch(() => undefined);
        if (answer?.status !== 201) return void away.push(answer?.status ?? 0);
        posted.push(answer.body.tasks[0].id);
      }
    });
    await until('much is posted', () => posted.length >= 200);
    using pending = await halfARequest(hall);
    const stopped = hall.stop('SIGTERM');
    await Promise.all(load);
    assert.ok(
      away.every((status) => status === 503),
      `told to come back, not cut off: ${away}`,
    );
    pending[Symbol.dispose]();
    assert.equal(await stopped, 0);
    for (const caller of callers) caller.close();

    await hall.start();
    const { stdout } = await guildhall(
      ['task', 'list', '--all', '--json', '--config', hall.config],
      {
        cwd: hall.folder,
      },
    );
    const kept = new Set(JSON.parse(stdout).tasks.map((task: { id: string }) => task.id));
    for (const id of posted) assert.ok(kept.has(id), `${id} was acknowledged`);
  });

  test('CH-098a: a stopping hall logs its grace period and its active runs, and a second signal ends it at once', async () => {
    await using hall = await HallProcess.start({ projects: { shop: 1 }, hall: LONG_GRACE });
    using fixture = new HallFixture(hall);
    const worker = await fixture.worker({ projects: ['shop'] });
    await fixture.post('/v1/tasks', [{ project: 'shop', title: 'It' }]);
    await worker.claimed();
    using _ = await halfARequest(hall);

    hall.signal('SIGTERM');
    await until('it waits', () => logged(hall.output, 'hall waiting to stop').length > 0);
    const [stops] = logged(hall.output, 'hall stopping');
    assert.deepEqual([stops?.['grace_seconds'], stops?.['runs']], [600, 1]);
    assert.equal(await hall.stop('SIGTERM'), 130);
  });

  test('a hall exits with code 0 on SIGINT', async () => {
    await using hall = await HallInProcess.start();
    assert.equal(await hall.stop('SIGINT'), 0);
  });
});

describe('rereading the configuration file', () => {
  test('GH-021d GH-021e: SIGHUP updates the projects, and one that left the file with open tasks is paused, not deleted', async () => {
    await using hall = await HallProcess.start({ projects: { shop: 1, bank: 1, site: 1 } });
    const caller = hall.caller();
    await caller.post('/v1/tasks', { project: 'bank', title: 'Still to do' });
    const before = JSON.parse(readFileSync(hall.config, 'utf8'));
    const projects = [{ name: 'shop', max_workers: 7 }, { name: 'club' }];
    writeFileSync(hall.config, JSON.stringify({ ...before, projects }));
    hall.signal('SIGHUP');
    await until('it was read', () => logged(hall.output, 'configuration reloaded').length > 0);

    const { body } = await caller.get('/v1/projects');
    const found = Object.fromEntries(
      body.projects.map((project: { name: string }) => [project.name, project]),
    );
    assert.deepEqual(Object.keys(found).toSorted(), ['bank', 'club', 'shop']);
    assert.equal(found.shop.max_workers, 7);
    assert.match(found.bank.paused.because, /left the configuration file with open tasks/);
    assert.equal(found.club.paused, null);
    caller.close();
  });

  test('GH-045b: on SIGHUP a file with mistakes is logged mistake by mistake and changes nothing', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 1 } });
    writeFileSync(hall.config, 'projects:\n  - nam: bank\n');
    hall.signal('SIGHUP');
    const lines = await until('it was refused', () => {
      const found = logged(hall.output, 'configuration refused, keeping the old one');
      return found.length > 1 && found;
    });
    assert.match(String(lines[1]?.['mistake']), /:2:5 projects\[0\]\.nam: is not a known key/);
    const { body } = await hall.caller().get('/v1/projects');
    assert.deepEqual(
      body.projects.map(({ name }: { name: string }) => name),
      ['shop'],
    );
  });

  test('a project that the file declares cannot be removed by command, and the refusal names file and line', async () => {
    await using hall = await HallInProcess.start();
    writeFileSync(
      hall.config,
      `hall: { data: ${hall.folder}/data, listen: "${hall.url.slice(7)}" }\nprojects:\n  - name: shop\n`,
    );
    await hall.stop();
    await hall.start();
    const options = { cwd: hall.folder };
    const at = ['--config', hall.config];
    const removed = await guildhall(['project', 'remove', 'shop', ...at], options);
    assert.equal(removed.code, 3);
    assert.match(
      removed.stderr,
      /project shop is declared in guildhall-\d+\.yaml:3; change it there/,
    );

    assert.equal((await guildhall(['project', 'pause', 'shop', ...at], options)).code, 0);
    assert.equal((await guildhall(['project', 'resume', 'shop', ...at], options)).code, 0);
    const own = await guildhall(['project', 'add', 'club', '--max-workers', '2', ...at], options);
    assert.equal(own.code, 0);
    assert.equal((await guildhall(['project', 'remove', 'club', ...at], options)).code, 0);
  });
});
