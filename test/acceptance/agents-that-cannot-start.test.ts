import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { guildhall, onlyGit } from './cli-command.ts';

const NO_INVOKER = /no agent can start in shop as .*dev-default.*: no invoker pays for runs/;

describe('a hall whose agents cannot start', () => {
  let cwd = '';
  before(() => {
    cwd = mkdtempSync(join(tmpdir(), 'hall-'));
    execFileSync('git', ['init', '-q', '--bare', join(cwd, 'shop.git')]);
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  function configure(more: string): void {
    const project = `projects: [{ name: shop, repo: "file:${join(cwd, 'shop.git')}" }]`;
    writeFileSync(join(cwd, 'guildhall.yaml'), `${project}\n${more}\n`);
  }

  async function checked(environment: Readonly<Record<string, string>> = {}) {
    const { code, stdout } = await guildhall(['config', 'check', '--json'], { cwd, environment });
    return { code, ...JSON.parse(stdout) };
  }

  async function agentsOfDoctor(environment: Readonly<Record<string, string>> = onlyGit(cwd)) {
    const { code, stdout } = await guildhall(['doctor', '--json'], { cwd, environment });
    const { findings } = JSON.parse(stdout);
    return { code, ...findings.find(({ name }: Json) => name === 'agents') };
  }

  test('config check and doctor fail where no invoker pays for a project with a repository', async () => {
    configure('');
    const { code, ok, cannot_start } = await checked();
    assert.deepEqual([code, ok], [1, false]);
    assert.match(cannot_start.join(), NO_INVOKER);
    const finding = await agentsOfDoctor();
    assert.deepEqual([finding.code, finding.health], [1, 'bad']);
    assert.match(finding.says, NO_INVOKER);
    assert.match(finding.fix, /hall\.max_recruits/);
  });

  test('config check names the missing isolation and the missing command', async () => {
    const invokers = 'invokers: [{ handle: ada, credential: $KEY, weekly_cap: 3 }]';
    configure(`hall: {}\n${invokers}`);
    const without = await checked(onlyGit(cwd));
    assert.match(
      without.cannot_start.join(),
      /bubblewrap \(bwrap\) is not on the PATH.*neither Podman/,
    );
    const dev =
      'dev: { git: { name: Dev, email: dev@shop.example }, model: any, command: [no-such-agent] }';
    const none = `projects: [{ name: shop, repo: "file:${join(cwd, 'shop.git')}", isolation: none }]`;
    writeFileSync(join(cwd, 'guildhall.yaml'), `${none}\n${invokers}\ntypes: { ${dev} }\n`);
    const { code, cannot_start } = await checked(onlyGit(cwd));
    assert.equal(code, 1);
    assert.match(
      cannot_start.join(),
      /the command of type dev is not on this machine: no-such-agent/,
    );
  });

  test('a hall with workers of its operator only is well, and doctor notes that it has no agents of its own', async () => {
    configure('hall: { max_recruits: 0 }');
    assert.equal((await checked()).code, 0);
    const finding = await agentsOfDoctor();
    assert.deepEqual([finding.health, finding.says], ['good', 'no agents of its own']);
  });
});

describe('a running hall whose agents cannot start', () => {
  test('health, board and why give the same lasting reason until a worker with its own model comes', async () => {
    const declared = [{ name: 'shop', repo: 'file:/nowhere' }];
    await using hall = await HallInProcess.start({ declared });
    using fixture = new HallFixture(hall);
    const { tasks } = await fixture.post('/v1/tasks', [{ project: 'shop', title: 'it' }]);
    const task = tasks[0].id;
    const agents = async () => {
      const { status, components } = await fixture.get('/v1/health');
      const { says } = components.find(({ name }: Json) => name === 'agents');
      return { status, says };
    };
    const health = await until('the recruiter has looked', async () => {
      const now = await agents();
      return now.says !== 'no agents of its own' && now;
    });
    assert.equal(health.status, 'degraded');
    assert.match(health.says, NO_INVOKER);
    const board = await fixture.get('/v1/board');
    const project = board.projects.find(({ name }: Json) => name === 'shop');
    assert.equal(project.cannot_start, health.says);
    const args = ['board', '--config', hall.config];
    const { stdout } = await guildhall(args, { cwd: hall.folder });
    assert.match(stdout, NO_INVOKER);
    const { reasons } = await fixture.get(`/v1/tasks/${task}/why`);
    assert.deepEqual(
      reasons.map(({ rule }: Json) => rule),
      ['no_invoker'],
    );

    await fixture.worker({ projects: ['shop'] });
    const after = await agents();
    assert.match(after.says, /^can start in every project/);
  });
});
