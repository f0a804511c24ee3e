import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { until } from '../support/hall-fixture.ts';
import { serving } from '../support/serving.ts';
import { begun, type Ended, guildhall, onlyGit } from './cli-command.ts';

const LOCK = JSON.stringify({
  packages: { 'node_modules/left': { resolved: 'https://packages.example/left.tgz' } },
});

let folder = '';
/** Stands for the clone of Guildhall in which the commands are typed. */
let cwd = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hall-'));
  cwd = join(folder, 'guildhall');
  mkdirSync(cwd);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): void {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@guildhall.invalid'];
  execFileSync('git', [...author, ...args], { cwd: join(folder, 'shop'), stdio: 'pipe' });
}

/** A repository whose work tree is the folder of the user. */
function shop(files: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, 'shop'));
  git('init', '--quiet', '--initial-branch=main');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'shop', name), text);
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
}

/** A machine with a bubblewrap that cannot build cells: agents could start, and none does. */
function environment(): Record<string, string> {
  const { PATH } = onlyGit(folder);
  writeFileSync(join(PATH, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return { PATH, USER: 'ada', GUILDHALL_LISTEN: '127.0.0.1:0' };
}

function init(args: readonly string[], input?: string): Promise<Ended> {
  const typed = input === undefined ? {} : { input, isTerminal: true };
  return guildhall(['init', ...args], { cwd, environment: environment(), ...typed });
}

function written(): string {
  return readFileSync(join(folder, 'shop-hall', 'guildhall.yaml'), 'utf8');
}

describe('guildhall init for a repository', () => {
  test('without a terminal, init asks nothing, clones the repository, writes the checks it found and examines the machine', async () => {
    const scripts = { test: 'node --test', lint: 'eslint' };
    shop({ 'package.json': JSON.stringify({ scripts }), 'package-lock.json': LOCK });
    const { code, stdout, stderr } = await init(['--repo', '../shop']);
    assert.equal(code, 0, stdout + stderr);
    assert.ok(!`${stdout}${stderr}`.includes('?'), 'no question');
    assert.match(written(), /^ {2}- name: shop$/m);
    assert.match(written(), /^ {4}repo: file:shop\.git /m);
    assert.match(written(), /^ {4}checks: \[\{ name: "tests", run: "npm test" \}\] /m);
    assert.match(written(), /^ {4}setup: \["npm ci"\] /m);
    assert.match(written(), /^ {4}network: \[packages\.example\] /m);
    assert.match(written(), /^invokers:\n {2}- \{ handle: "ada", credential: \$ANTHROPIC_API_KEY/m);
    assert.ok(existsSync(join(folder, 'shop-hall', 'shop.git', 'HEAD')), 'a bare clone');
    assert.match(stdout, /^ok +repos +every local repository/m);
    assert.match(stdout, /^warn +config +.*ANTHROPIC_API_KEY is not set here/m);
    const next = 'start --config ../shop-hall/guildhall.yaml';
    assert.match(stderr, new RegExp(`\\nnext: ANTHROPIC_API_KEY=YOUR_KEY .* ${next}\\n$`));
  });

  test('on a terminal, init asks four questions and writes the answers', async () => {
    shop({ Makefile: 'test: build\n\t./run\nlint:\n\t./lint\nX := 1\n' });
    const answers = ['../shop', 'make test, make lint', 'MY_KEY', 'castle', 'sandbox', ''];
    const { code, stdout, stderr } = await init([], answers.join('\n'));
    assert.equal(code, 0, stdout + stderr);
    assert.equal([...stderr.matchAll(/: \[/g)].length, 5, 'four questions, one of them twice');
    assert.match(stderr, /\(also found: make lint\): \[make test\]/);
    assert.match(stderr, /castle is not one of best, sandbox/);
    assert.match(written(), /run: "make test" \}, \{ name: "lint", run: "make lint" \}\]/);
    assert.match(written(), /credential: \$MY_KEY/);
    assert.match(written(), /^ {4}isolation: sandbox /m);
  });

  test('init takes its answers from options, and asks for none with --yes', async () => {
    shop({});
    const options = ['--check', './verify', '--credential', 'none', '--isolation', 'none'];
    const args = ['../own', '--repo', '../shop', '--yes', ...options];
    const { code, stdout, stderr } = await init(args, '\n');
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^fail +agents +.*no invoker pays for runs/m);
    const text = readFileSync(join(folder, 'own', 'guildhall.yaml'), 'utf8');
    assert.match(text, /checks: \[\{ name: "verify", run: "\.\/verify" \}\]/);
    assert.match(text, /^# invokers:/m);
    assert.match(text, /^ {4}isolation: none /m);
  });

  test('init refuses what is not a repository with a commit, a key in place of its variable, and a second file', async () => {
    const missing = await init(['--repo', '../shop']);
    assert.deepEqual([missing.code, existsSync(join(folder, 'shop-hall'))], [2, false]);
    assert.match(missing.stderr, /there is no folder \.\.\/shop: name a git repository/);

    mkdirSync(join(folder, 'shop'));
    const plain = await init(['--repo', '../shop']);
    assert.match(plain.stderr, /is not a git repository; make it one with: git -C \.\.\/shop init/);

    git('init', '--quiet');
    const empty = await init(['--repo', '../shop']);
    assert.equal(empty.code, 2);
    assert.match(empty.stderr, /shop has no commit yet: commit something/);
    rmSync(join(folder, 'shop-hall'), { recursive: true });

    git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
    const key = await init(['--repo', '../shop', '--credential', 'sk-ant-secret']);
    assert.equal(key.code, 2);
    assert.match(key.stderr, /name the environment variable that holds the key/);
    assert.ok(!key.stderr.includes('sk-ant-secret'));

    assert.equal((await init(['--repo', '../shop'])).code, 0, 'the clone is used again');
    assert.match((await init(['--repo', '../shop'])).stderr, /already exists; overwrite it with/);
  });
});

test('what the README types for an own repository works as it is written there', async () => {
  shop({ Makefile: 'test:\n\ttrue\n' });
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const lines = [...readme.matchAll(/^npx guildhall (.+)$/gm)].map(([, line = '']) => line);
  const words = lines.map((line) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word),
  );
  const [setUp = [], start = [], ...then] = words;
  assert.deepEqual(
    [setUp[0], start[0], then.map((each) => each[0])],
    ['init', 'start', ['task', 'board']],
  );
  // The key is set, as the README says; no worker is started without isolation.
  const around = { cwd, environment: { ...environment(), ANTHROPIC_API_KEY: 'any-key' } };
  const made = await guildhall(setUp, around);
  assert.equal(made.code, 0, made.stdout + made.stderr);
  assert.ok(made.stderr.trimEnd().endsWith(start.join(' ')), 'init ends with the next line');
  const hall = begun(start, around);
  try {
    await until('the hall is open', () => hall.stdout().includes('hall started'));
    for (const each of then) {
      const { code, stdout, stderr } = await guildhall(each, around);
      assert.equal(code, 0, stdout + stderr);
    }
  } finally {
    hall.signal('SIGTERM');
    await hall.ended;
  }
});

describe('guildhall init for a repository on a forge', () => {
  test('the remote of the folder is recognised, and --forge writes the entry of GitHub and follows the repository there', async () => {
    shop({ 'package.json': JSON.stringify({ scripts: { test: 'node --test' } }) });
    git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');
    const plain = await init(['--repo', '../shop']);
    assert.match(plain.stderr, /it is on https:\/\/github\.com\/acme\/shop: .*add --forge/);
    assert.match(written(), /^ {4}repo: file:shop\.git /m);

    const { code, stdout, stderr } = await init(['--repo', '../shop', '--forge', '--force']);
    assert.equal(code, 0, stdout + stderr);
    assert.match(written(), /^ {4}repo: github:acme\/shop /m);
    assert.match(
      written(),
      /^forges:\n.*\n {2}github: \{ token: secret:github-token, webhook_secret: secret:github-webhook \}$/m,
    );
    assert.match(stderr, /then, while it runs: .*forge add .*github\n$/);
  });

  test('a person is asked, and the server of a Forgejo is recognised by its answer', async () => {
    shop({ Makefile: 'test:\n\t./run\n' });
    await using server = await serving(async (request, response) => {
      response.writeHead(request.url === '/api/forgejo/v1/version' ? 200 : 404).end('{}');
    });
    git('remote', 'add', 'origin', `${server.url}/acme/shop.git`);
    const answers = ['yes', 'make test', 'MY_KEY', 'sandbox', ''];
    const { code, stdout, stderr } = await init(['--repo', '../shop'], answers.join('\n'));
    assert.equal(code, 0, stdout + stderr);
    assert.match(written(), /^ {4}repo: forgejo:acme\/shop /m);
    const entry = `forgejo: { kind: forgejo, url: "${server.url}", token: secret:forgejo-token`;
    assert.ok(written().includes(entry), written());
    assert.equal(existsSync(join(folder, 'shop-hall', 'shop.git')), false, 'no clone');
    const refused = await init(['elsewhere', '--repo', 'https://localhost:1/a/b.git', '--forge']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is not on GitHub, Gitea or Forgejo/);
  });
});
