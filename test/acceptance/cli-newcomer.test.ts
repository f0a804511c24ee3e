import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HallInProcess } from '../support/hall-in-process.ts';
import { type Ended, guildhall, onlyGit } from './cli-command.ts';

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
  test('project add and project edit refuse what config check refuses', async () => {
    const forge = await on('project', 'add', 'far', '--repo', 'forgjo:acme/far');
    assert.equal(forge.code, 2);
    assert.equal(
      forge.stderr,
      'guildhall: --repo: names a forge that is not declared under forges (known: github, file)\n',
    );
    await on('project', 'add', 'far');
    const approver = await on('project', 'edit', 'far', '--approver', 'judge');
    assert.equal(approver.code, 2);
    assert.match(approver.stderr, /^guildhall: --approver: is not a declared type \(known: .*dev/);
    await on('project', 'remove', 'far');
  });

  test('a relative repository is that of the folder where it was typed, and doctor looks at it', async () => {
    await on('project', 'add', 'near', '--repo', 'file:../near');
    const { repo } = JSON.parse((await on('project', 'show', 'near', '--json')).stdout);
    assert.equal(repo, `file:${resolve(hall.folder, '../near')}`);
    const environment = onlyGit(hall.folder);
    const args = ['doctor', '--config', hall.config];
    const { code, stdout } = await guildhall(args, { cwd: hall.folder, environment });
    assert.equal(code, 1);
    assert.match(stdout, /^fail {2}repos {7}near: \/.*\/near is not a git repository$/m);
    assert.match(stdout, /project edit --config \S+ NAME --repo file:PATH/);
    await on('project', 'remove', 'near');
  });

  test('task why says why the hall starts no worker where a project has no repository, or one on a forge', async () => {
    const why = async (project: string) => {
      const { stdout } = await on('task', 'add', 'it', '--project', project, '--json');
      const [{ id }] = JSON.parse(stdout).tasks;
      const shown = await on('task', 'why', id);
      await on('task', 'cancel', id);
      await on('project', 'remove', project);
      return shown.stdout;
    };
    await on('project', 'add', 'plain');
    const none = 'and the hall starts none: plain has no repository; set its repo to file:PATH';
    assert.ok((await why('plain')).includes(none));
    await on('project', 'add', 'far', '--repo', 'github:acme/far');
    assert.match(await why('far'), /the hall starts none: github:acme\/far is on a forge, which/);
  });

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

  test('project add and project edit take sources with their labels or folder', async () => {
    const typed = ['--source', 'github-issues=ready,web', '--source', 'spec-files=docs/specs'];
    const added = await on('project', 'add', 'club', ...typed, '--json');
    assert.deepEqual(JSON.parse(added.stdout).sources, [
      { kind: 'github-issues', filter: { labels: ['ready', 'web'] } },
      { kind: 'spec-files', path: 'docs/specs' },
    ]);
    const edited = await on('project', 'edit', 'club', '--source', 'api', '--json');
    assert.deepEqual(JSON.parse(edited.stdout).sources, [{ kind: 'api' }]);
    assert.equal((await on('project', 'edit', 'club', '--source', 'jira')).code, 2);
    const none = await on('project', 'edit', 'club', '--no-sources', '--json');
    assert.deepEqual([JSON.parse(none.stdout).sources, none.stderr], [[], '']);
  });
});
