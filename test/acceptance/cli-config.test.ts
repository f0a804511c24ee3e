import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Caller } from '../support/caller.ts';
import { until } from '../support/hall-fixture.ts';
import { begun, guildhall, onlyGit } from './cli-command.ts';

const SECRET = 'sk-canary-0123456789abcdef';

describe('the configuration file on the command line', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'hall-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  const write = (text: string) => writeFileSync(join(cwd, 'guildhall.yaml'), text);

  test('GH-045b: a start with mistakes in the configuration names each with file, line and path, and starts no hall', async () => {
    write('hall:\n  lisen: 127.0.0.1:1\nprojects:\n  - name: shop\n    max_workers: 0\n');
    const { code, stdout, stderr } = await guildhall(['start'], { cwd });
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /guildhall\.yaml:2:3 hall\.lisen: .*did you mean listen\?/);
    assert.match(stderr, /guildhall\.yaml:5:18 projects\[0\]\.max_workers: must be at least 1/);
  });

  test('a type without git identity or model fails at start with the path of the missing key', async () => {
    write('types:\n  dev:\n    forge_user: hall-dev\n');
    const { code, stderr } = await guildhall(['start'], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, /guildhall\.yaml:2:3 types\.dev\.git: is missing/);
    assert.match(stderr, /guildhall\.yaml:2:3 types\.dev\.model: is missing/);
  });

  test('config check --json counts what the file declares, or lists every mistake', async () => {
    write('projects: [{ name: shop }, { name: bank }]\n');
    const good = await guildhall(['config', 'check', '--json'], { cwd });
    assert.deepEqual(JSON.parse(good.stdout), {
      ok: true,
      cannot_start: [],
      file: 'guildhall.yaml',
      projects: 2,
      types: 3,
      invokers: 0,
      personas: 3,
      warnings: [],
    });

    write('projects: [{ nam: shop }]\n');
    const bad = await guildhall(['config', 'check', '--json'], { cwd });
    const { error } = JSON.parse(bad.stderr);
    assert.equal(bad.code, 2);
    assert.equal(bad.stdout, '');
    assert.equal(error.code, 'config_refused');
    assert.deepEqual(error.mistakes, [
      'guildhall.yaml:1:12 projects[0].name: is missing',
      'guildhall.yaml:1:14 projects[0].nam: is not a known key (did you mean name?)',
    ]);
  });

  test('control characters in the configuration are printed escaped, and a NUL character in a path is refused', async () => {
    write('"\\e[2Jwiped": 1\nhall:\n  data: "a\\0b"\n');
    for (const command of [['config', 'check'], ['doctor'], ['start']]) {
      const { code, stdout, stderr } = await guildhall(command, { cwd });
      const output = stdout + stderr;
      assert.notEqual(code, 0);
      assert.ok(!output.includes('\x1b'), command.join(' '));
      assert.match(output, /guildhall\.yaml:1:1 .*\\x1b\[2Jwiped.*is not a known key/);
      assert.match(
        output,
        /guildhall\.yaml:3:9 hall\.data: must not contain the character U\+0000/,
      );
    }
  });

  test('config check and start warn about sources that nobody reads', async () => {
    const sources = 'sources: [{ kind: github-issues }, { kind: spec-files }, { kind: api }]';
    write(`hall: { listen: "127.0.0.1:0" }\nprojects:\n  - { name: shop, ${sources} }\n`);
    const says =
      /projects\[0\]\.sources\[0\]: github-issues is not read: it needs a project whose repo is on a connected forge/;
    const checked = await guildhall(['config', 'check'], { cwd });
    assert.equal(checked.code, 0);
    assert.match(checked.stderr, says);

    const started = begun(['start'], { cwd });
    await until('the hall is open', () => started.stdout().includes('hall started'));
    started.signal('SIGTERM');
    await started.ended;
    const [line = ''] = started.stdout().split('\n');
    const { level, warning } = JSON.parse(line);
    assert.equal(level, 'warn');
    assert.match(warning, says);

    write('projects: [{ name: shop, sources: [{ kind: api }] }]\n');
    assert.equal((await guildhall(['config', 'check'], { cwd })).stderr, '');
  });

  test('GH-100c: config check, doctor, health and board say that agents run by a command are not gated', async () => {
    const type = 'git: { name: D, email: d@hall.test }, model: m';
    write(
      `hall: { listen: "127.0.0.1:0" }\nforges: { forge: { kind: forgejo, url: "https://forge.example", token: $T } }\n` +
        `types: { dev: { ${type}, command: [agent] }, boss: { ${type} }, reviewer: { ${type} } }\n` +
        'projects: [{ name: shop }]\n',
    );
    const around = { cwd, environment: { T: SECRET } };
    const says =
      /agents of type dev are not gated: their command runs programs without the tool gate/;
    const checked = await guildhall(['config', 'check'], around);
    assert.match(checked.stderr, new RegExp(`types\\.dev\\.command: ${says.source}`));
    assert.match((await guildhall(['doctor'], around)).stdout, says);

    const started = begun(['start'], around);
    await until('the hall is open', () => started.stdout().includes('hall started'));
    const board = await guildhall(['board'], around);
    const [, url = ''] = /"url":"([^"]+)"/.exec(started.stdout()) ?? [];
    const token = readFileSync(join(cwd, 'data/token'), 'utf8').trim();
    const caller = new Caller(url, token);
    const { body: health } = await caller.get('/v1/health');
    caller.close();
    started.signal('SIGTERM');
    await started.ended;
    assert.match(board.stdout, new RegExp(`^shop: ${says.source}`, 'm'));
    const found = (name: string) =>
      health.components.find((each: { name: string }) => each.name === name);
    assert.deepEqual([health.status, found('executors').status], ['degraded', 'degraded']);
    assert.match(found('executors').says, new RegExp(`shop: ${says.source}`));
    assert.equal(found('forges').says, 'no check or merge is failing');
  });

  test('GH-062a: config show and config check print the variable that holds a secret, never the secret', async () => {
    write('hall: { store: $DB }\ninvokers: [{ handle: ada, credential: $KEY }]\n');
    const environment = { KEY: SECRET, DB: `postgres://hall:${SECRET}@db/hall` };
    for (const args of [
      ['config', 'show'],
      ['config', 'show', '--json'],
      ['config', 'check'],
    ]) {
      const { code, stdout, stderr } = await guildhall(args, { cwd, environment });
      assert.equal(code, 0);
      assert.ok(!`${stdout}${stderr}`.includes(SECRET), args.join(' '));
    }
    const { stdout } = await guildhall(['config', 'show'], { cwd, environment });
    assert.match(stdout, /store: \$DB\n/);
    assert.match(stdout, /credential: \$KEY\n/);
  });

  test('GH-062a: a literal secret in the file is refused and not repeated in the message', async () => {
    write(`invokers: [{ handle: ada, credential: ${SECRET} }]\n`);
    const { code, stdout, stderr } = await guildhall(['start'], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, /invokers\[0\]\.credential: is a secret, and secrets do not belong/);
    assert.ok(!`${stdout}${stderr}`.includes(SECRET));
  });

  test('config check and doctor warn about a secret that only the hall needs; start fails', async () => {
    write('invokers: [{ handle: ada, credential: $KEY }]\n');
    const says = /invokers\[0\]\.credential: the environment variable KEY is not set/;
    const checked = await guildhall(['config', 'check'], { cwd });
    assert.deepEqual([checked.code, says.test(checked.stderr)], [0, true], checked.stderr);
    const environment = onlyGit(cwd);
    const examined = await guildhall(['doctor'], { cwd, environment });
    assert.equal(examined.code, 0, examined.stdout);
    assert.match(examined.stdout, /^warn +config +invokers.* the hall needs it to start$/m);
    const started = await guildhall(['start'], { cwd });
    assert.deepEqual([started.code, says.test(started.stderr)], [2, true], started.stderr);
  });

  test('X-002a: init writes a commented configuration without mistakes and does not overwrite an existing one', async () => {
    const folder = join(cwd, 'halls', 'My Shop');
    const written = await guildhall(['init', 'halls/My Shop'], { cwd });
    assert.equal(written.code, 0, 'the folder is made');
    assert.ok(written.stderr.includes(`config check --config '${join(folder, 'guildhall.yaml')}'`));
    assert.match(
      written.stderr,
      /My Shop is not a git repository; set repo: in that file to yours/,
    );
    execFileSync('git', ['init', '--quiet', 'own'], { cwd });
    const own = await guildhall(['init', 'own'], { cwd });
    assert.doesNotMatch(own.stderr, /is not a git repository/);
    const text = readFileSync(join(folder, 'guildhall.yaml'), 'utf8');
    assert.match(text, /^ {2}- name: my-shop$/m);
    assert.match(text, /^ {2}boss: +# triage/m);

    const checked = await guildhall(['config', 'check', '--json'], { cwd: folder });
    const { projects, types, warnings } = JSON.parse(checked.stdout);
    assert.deepEqual({ projects, types, warnings }, { projects: 1, types: 3, warnings: [] });

    const again = await guildhall(['init'], { cwd: folder });
    assert.equal(again.code, 2);
    assert.match(again.stderr, /already exists; overwrite it with --force/);
  });
});
