import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HallInProcess } from '../support/hall-in-process.ts';
import { type Ended, guildhall } from './cli-command.ts';

let hall: HallInProcess;
before(async () => {
  hall = await HallInProcess.start();
});
after(() => hall[Symbol.asyncDispose]());

function on(...args: string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

describe('a hall without a project', () => {
  test('without a project, task add fails with the command that adds one', async () => {
    const { code, stderr } = await on('task', 'add', 'Say hello');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /there is no project yet; add one with: .*guildhall\S* project add --config \S+ NAME/,
    );
  });

  test('a task for an unknown project is refused with the command that adds one', async () => {
    const { code, stderr } = await on('task', 'add', 'Say hello', '--project', 'shop');
    assert.equal(code, 1);
    assert.match(stderr, /to add one: .*guildhall\S* project add --config \S+ NAME/);
  });

  test('the next step that project add prints can be run as printed', async () => {
    const added = await on('project', 'add', 'shop');
    const [, program = '', next = ''] = /^next: node (\S+) (.*) "…"/m.exec(added.stderr) ?? [];
    assert.ok(program.endsWith('/bin/guildhall.js'), 'its path, for it is not on the PATH here');
    const posted = await guildhall([...next.split(' '), 'Say hello'], { cwd: '/' });
    assert.equal(posted.code, 0, posted.stderr);
    const gaps = /an id is the number of an event in the log, so ids have gaps/;
    assert.match(posted.stderr, gaps);
    assert.doesNotMatch((await on('task', 'add', 'Again')).stderr, gaps, 'only once');
  });
});

describe('projects on the command line', () => {
  test('the board shows a project with isolation none in red, and only that project', async () => {
    await on('project', 'add', 'open', '--isolation', 'none');
    const args = ['board', '--config', hall.config];
    const environment = { FORCE_COLOR: '1' };
    const { stdout } = await guildhall(args, { cwd: hall.folder, environment });
    assert.ok(stdout.includes('\u001b[31mopen: isolation is none: agents'), stdout);
    assert.equal(stdout.split('isolation is none').length, 2);
    await on('project', 'remove', 'open');
  });

  test('project edit changes single settings and keeps the others', async () => {
    await on('project', 'add', 'bank', '--repo', 'github:acme/bank', '--approver', 'reviewer');
    const changes = ['--max-workers', '7', '--auto-approve', '--no-repo', '--no-approvers'];
    const edited = await on('project', 'edit', 'bank', ...changes, '--json');
    assert.equal(edited.code, 0, edited.stderr);
    const project = JSON.parse(edited.stdout);
    assert.deepEqual(
      [project.max_workers, project.auto_approve, project.repo, project.approvers],
      [7, true, null, []],
    );
    const back = await on('project', 'edit', 'bank', '--no-auto-approve', '--json');
    assert.equal(JSON.parse(back.stdout).auto_approve, false);
    assert.equal(JSON.parse(back.stdout).max_workers, 7, 'the rest stays as it was');
    assert.equal((await on('project', 'edit', 'bank')).code, 2);
  });

  test('project add and project edit warn about a source that the hall does not poll yet', async () => {
    const added = await on('project', 'add', 'club', '--source', 'github-issues');
    assert.match(added.stderr, /warning: github-issues will not be polled/);
    const edited = await on('project', 'edit', 'club', '--source', 'spec-files');
    assert.match(edited.stderr, /warning: spec-files will not be polled/);
    const none = await on('project', 'edit', 'club', '--no-sources', '--json');
    assert.deepEqual([JSON.parse(none.stdout).sources, none.stderr], [[], '']);
  });
});
