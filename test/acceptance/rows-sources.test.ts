import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Json, until } from '../support/hall-fixture.ts';
import { SourceHall, type SourceRepository, sourceRepository } from '../support/source-hall.ts';
import { REPO, sourceForge } from '../support/sources-under-test.ts';

const HEAD = `---
specification: [Cart spec](../specs/cart.md)
plan: [Cart plan](../plans/cart-plan.md)
status: Ready for Implementation
version: 1.2.0
created: 2026-01-30
last_updated: 2026-02-01
authored_by:
  - Ada
  - Grace
---

# Cart: tasks
`;

const CART = '.sdd/tasks/2026-01-31-cart-tasks.md';

function task(id: string, name: string, facts = ''): string {
  return `
### ${id}: ${name}

${facts}

**Description**: do it.

**Acceptance Criteria**:
- [ ] it works

**Files**: src/${id}.ts

**Testing**: unit tests
`;
}

function withStatus(status: string): string {
  return HEAD.replace('Ready for Implementation', status);
}

function facts(priority: string, complexity: string, dependencies: string): string {
  return `**Priority**: ${priority} | **Complexity**: ${complexity} | **Dependencies**: ${dependencies}`;
}

function groveHall(repository: SourceRepository, project: object = {}, options: object = {}) {
  const source = { kind: 'spiral-grove', path: '.sdd/tasks' };
  const shop = { repo: `file:${repository.path}`, sources: [source], ...project };
  return SourceHall.start(shop, options);
}

describe('a Spiral Grove source', () => {
  it('GH-130 GH-131a GH-131b GH-132a GH-132b GH-011b GH-053b: dated, older and nested files become tasks with sizes and edges, in their order whatever their priority', async () => {
    using repository = sourceRepository();
    repository.commit({
      [CART]:
        HEAD +
        task('TASK-001', 'Add the table', facts('Low', 'L', 'None')) +
        task('TASK-002', 'Add the page', facts('Critical', 'S', 'TASK-001, TASK-003')) +
        task('TASK-003', 'Add the API', facts('High', 'M', 'TASK-001')),
      '.sdd/tasks/search-tasks.md':
        withStatus('In Progress') + task('TASK-001', 'Search', facts('Critical', 'S', 'None')),
      '.sdd/tasks/shop/checkout-tasks.md': HEAD + task('TASK-001', 'Check out'),
      '.sdd/tasks/later-tasks.md': withStatus('Draft') + task('TASK-001', 'Later'),
      '.sdd/tasks/notes.md': '# Notes\n\n### TASK-009: not a task\n',
    });
    await using hall = await groveHall(repository);
    const { files, progress } = await hall.sync();
    const tasks = await hall.tasks();
    assert.deepEqual(
      tasks.map(({ title, size, state }) => [title, size, state]),
      [
        ['TASK-001: Add the table', 'L', 'available'],
        ['TASK-002: Add the page', 'S', 'blocked'],
        ['TASK-003: Add the API', 'M', 'blocked'],
        ['TASK-001: Search', 'S', 'available'],
        ['TASK-001: Check out', 'M', 'available'],
      ],
    );
    assert.equal(progress, '0 of 5 completed, 5 waiting');
    assert.deepEqual(files[0].head, {
      specification: '[Cart spec](../specs/cart.md)',
      plan: '[Cart plan](../plans/cart-plan.md)',
      version: '1.2.0',
      created: '2026-01-30',
      last_updated: '2026-02-01',
      authored_by: ['Ada', 'Grace'],
    });
    assert.deepEqual(
      files.map(({ path, status, not_posted }: Json) => [path, status, not_posted]),
      [
        [CART, 'Ready for Implementation', null],
        ['.sdd/tasks/later-tasks.md', 'Draft', 'its status is Draft'],
        ['.sdd/tasks/search-tasks.md', 'In Progress', null],
        ['.sdd/tasks/shop/checkout-tasks.md', 'Ready for Implementation', null],
      ],
    );
    const { task: first, thread } = await hall.fixture.taskDetail(tasks[1]?.id);
    assert.match(first.body, /\*\*Acceptance Criteria\*\*:\n- \[ \] it works/);
    assert.match(first.body, /src\/TASK-002\.ts[\s\S]*unit tests[\s\S]*From \.sdd\/tasks/);
    assert.deepEqual(thread.depends_on, [tasks[0]?.thread, tasks[2]?.thread]);

    const order: string[] = [];
    const worker = await hall.fixture.worker();
    for (let count = 0; count < 5; count += 1) {
      const claim = await worker.claimed();
      order.push(claim.task.title);
      await worker.complete(claim);
    }
    assert.deepEqual(order, [
      'TASK-001: Add the table',
      'TASK-003: Add the API',
      'TASK-002: Add the page',
      'TASK-001: Search',
      'TASK-001: Check out',
    ]);
    assert.equal((await hall.source()).progress, '5 of 5 completed');
  });

  it('GH-133: the older layout with separate lines is read, too', async () => {
    using repository = sourceRepository();
    repository.commit({
      '.sdd/tasks/pay-tasks.md': `# Pay: tasks

**Status**: Ready for Implementation

### Task 1: Talk to the bank

**ID**: PAY-1
**Category**: Backend
**Estimate**: L (a day)
**Dependencies**: None

Send it money.

### Task 2: Show the receipt

**ID**: PAY-2
**Category**: Frontend
**Estimate**: 2 hours
**Dependencies**: PAY-1
`,
    });
    await using hall = await groveHall(repository);
    await hall.sync();
    const tasks = await hall.tasks();
    assert.deepEqual(
      tasks.map(({ title, size, state }) => [title, size, state]),
      [
        ['PAY-1: Talk to the bank', 'L', 'available'],
        ['PAY-2: Show the receipt', 'M', 'blocked'],
      ],
    );
  });

  it('a broken file is refused with its line and reason, keeps its tasks, and other files go on', async () => {
    using repository = sourceRepository();
    const good = HEAD + task('TASK-001', 'Add the table', facts('Low', 'L', 'None'));
    repository.commit({ [CART]: good });
    await using hall = await groveHall(repository);
    await hall.sync();
    repository.commit({
      [CART]: `${good}\n### TASK-002: Page\n\n${facts('Low', 'Huge', 'TASK-077')}\n`,
      '.sdd/tasks/search-tasks.md': HEAD + task('TASK-001', 'Search'),
    });
    const { refused, status } = await hall.sync();
    assert.equal(status, 'degraded');
    assert.deepEqual(refused, [
      {
        file: CART,
        line: 30,
        because: 'the complexity of TASK-002 is Huge; it must be XS, S, M, L or XL',
      },
      { file: CART, line: 30, because: 'TASK-002 depends on TASK-077, which is not in this file' },
    ]);
    const tasks = await hall.tasks();
    assert.deepEqual(
      tasks.map(({ title, state }) => [title, state]),
      [
        ['TASK-001: Add the table', 'available'],
        ['TASK-001: Search', 'available'],
      ],
    );
    const { code, stdout } = await hall.run('sources', 'sync');
    assert.equal(code, 1);
    assert.match(
      stdout,
      /refused \.sdd\/tasks\/2026-01-31-cart-tasks\.md:30: the complexity of TASK-002 is Huge/,
    );
    assert.match((await hall.health()).says, /refused \.sdd\/tasks\/2026-01-31-cart-tasks\.md:30/);
  });

  it('what a source posted is known after a restart, and the log proves it', async () => {
    using repository = sourceRepository();
    const [one, two] = [task('TASK-001', 'Add the table'), task('TASK-002', 'Add the page')];
    repository.commit({ [CART]: HEAD + one + two });
    await using hall = await groveHall(repository);
    await hall.sync();
    const worker = await hall.fixture.worker();
    await worker.complete(await worker.claimed());
    repository.commit({ [CART]: HEAD + one });
    const before = await hall.sync();
    assert.equal(before.progress, '1 of 1 completed');
    await hall.hall.stop();
    const { code, stderr } = await hall.run('audit', 'verify');
    assert.equal(code, 0, stderr);
    await hall.hall.start();
    const after = await hall.sync();
    assert.deepEqual([after.progress, after.files], [before.progress, before.files]);
    assert.equal((await hall.tasks()).length, 2);
  });

  it('a move of the base branch is noticed without being asked for', async () => {
    using repository = sourceRepository();
    const sources = { poll_seconds: 0.1, retry_seconds: 0.1, probe_seconds: 1 };
    await using hall = await groveHall(repository, {}, { hall: { sources } });
    repository.commit({ [CART]: HEAD + task('TASK-001', 'Add the table') });
    await until('the task is posted', async () => (await hall.tasks()).length === 1);
    repository.commit({ [CART]: HEAD + task('TASK-001', 'Add two tables') });
    await until('it has the new title', () => hall.taskCalled('TASK-001: Add two tables'));
  });
});

describe('the progress of a source', () => {
  it('reads "3 of 10 completed, 4 wait for you to merge, 2 running, 1 failed" for the source and its file, in the API and the CLI', async () => {
    using repository = sourceRepository();
    const ids = Array.from({ length: 10 }, (_, at) => `TASK-${String(at + 1).padStart(3, '0')}`);
    repository.commit({ [CART]: HEAD + ids.map((id) => task(id, `Part ${id}`)).join('') });
    const types = {
      dev: { git: { name: 'Dev', email: 'dev@hall.test' }, model: 'claude-sonnet-4-6' },
    };
    await using hall = await groveHall(repository, {}, { types });
    await hall.sync();
    for (let count = 0; count < 10; count += 1) {
      const worker = await hall.fixture.worker();
      const claim = await worker.claimed();
      if (count < 3) await worker.complete(claim);
      else if (count < 7) {
        const work = { branch: `hall/dev/${claim.task.thread}`, commit: `${count}`.repeat(40) };
        await worker.complete(claim, { outcome: 'pr_created', ...work });
      } else if (count < 8) await worker.complete(claim, { outcome: 'failed', summary: 'no' });
    }
    const text = '3 of 10 completed, 4 wait for you to merge, 2 running, 1 failed';
    const { sources } = await hall.fixture.get('/v1/board');
    assert.deepEqual([sources[0].progress, sources[0].files[0].progress], [text, text]);
    const [listed] = (await hall.fixture.get('/v1/sources')).sources;
    assert.deepEqual([listed.progress, listed.files[0].progress], [text, text]);
    for (const command of [['board'], ['sources', 'list']]) {
      const { stdout } = await hall.run(...command);
      assert.ok(stdout.split(text).length === 3, stdout);
    }
    const json = JSON.parse((await hall.run('sources', 'list', '--json')).stdout);
    assert.deepEqual(json.sources[0].counts, listed.counts);
  });
});

describe('issues as a source', () => {
  it('GH-T01: a project registered with a GitHub issues source appears in the state of the board', async () => {
    await using shop = await sourceForge('github');
    const number = shop.ada.openIssue(REPO, { title: 'Add a cart', body: 'please' });
    shop.ada.addLabels(REPO, number, ['ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    const { projects, sources } = await hall.fixture.get('/v1/board');
    assert.deepEqual(
      projects.map(({ name, open }: Json) => [name, open]),
      [['shop', 1]],
    );
    const [{ id, kind, project, progress }] = sources;
    assert.deepEqual(
      [id, kind, project, progress],
      ['shop-github-issues', 'github-issues', 'shop', '0 of 1 completed, 1 waiting'],
    );
    const { thread } = await hall.fixture.taskDetail((await hall.taskCalled('Add a cart')).id);
    assert.equal(thread.issue.number, number);
  });

  it('an issue is posted only if the person who set the label, or else its author, may write; others are listed with the reason', async () => {
    await using shop = await sourceForge('github');
    const mine = shop.ada.openIssue(REPO, { title: 'Mine', body: '' });
    const strange = shop.eve.openIssue(REPO, { title: 'Strange', body: '' });
    await using open = await shop.start({});
    const { not_posted } = await open.sync();
    assert.deepEqual(not_posted, [
      {
        item: `github:${REPO}#${strange}`,
        title: 'Strange',
        because: 'its author eve has no write access to the repository',
      },
    ]);
    assert.deepEqual(
      (await open.tasks()).map(({ title, posted_by }) => [title, posted_by]),
      [['Mine', 'github:ada']],
    );
    shop.ada.addLabels(REPO, strange, ['ready']);
    await using labelled = await shop.start({ labels: ['ready'] });
    await labelled.sync();
    assert.deepEqual(
      (await labelled.tasks()).map(({ title }) => title),
      ['Strange'],
    );
    assert.ok(mine > 0);
  });

  it("the text of a stranger's issue is used as it was when the label was set, until it is set again", async () => {
    await using shop = await sourceForge('github');
    const number = shop.eve.openIssue(REPO, { title: 'Strange', body: 'be nice' });
    shop.ada.addLabels(REPO, number, ['ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    shop.eve.editIssue(REPO, number, { title: 'Stranger', body: 'be evil' });
    await hall.sync();
    const [{ id }] = (await hall.tasks()) as [Json];
    assert.equal((await hall.fixture.task(id)).body, 'be nice');
    shop.ada.removeLabel(REPO, number, 'ready');
    await hall.sync();
    shop.ada.addLabels(REPO, number, ['ready']);
    await hall.sync();
    assert.equal((await hall.fixture.task((await hall.taskCalled('Stranger')).id)).body, 'be evil');
  });

  it('an issue that a label and a source both name is one thread with one task', async () => {
    await using shop = await sourceForge('github');
    const number = shop.ada.openIssue(REPO, { title: 'Both', body: '' });
    shop.ada.addLabels(REPO, number, ['hall:dev', 'ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    await until('both were seen', async () => (await hall.source()).counts.total === 1);
    await hall.sync();
    assert.equal((await hall.tasks()).length, 1);
    assert.equal((await hall.fixture.get('/v1/threads')).threads.length, 1);
  });

  it('a closed and a deleted issue cancel their tasks', async () => {
    await using shop = await sourceForge('github');
    const open = (title: string) => {
      const number = shop.ada.openIssue(REPO, { title, body: '' });
      shop.ada.addLabels(REPO, number, ['ready']);
      return number;
    };
    const [closed, deleted] = [open('Close me'), open('Delete me')];
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    shop.ada.closeIssue(REPO, closed);
    shop.forge.control.setRole(REPO, 'ada', 'admin');
    shop.ada.deleteIssue(REPO, deleted);
    const { progress } = await hall.sync();
    assert.equal(progress, '0 of 0 completed');
    assert.deepEqual(
      (await hall.tasks()).map(({ title, state, summary }) => [title, state, summary]),
      [
        ['Close me', 'cancelled', 'its issue was closed'],
        ['Delete me', 'cancelled', 'its issue was deleted'],
      ],
    );
  });
});

describe('a source that cannot be read', () => {
  it('GH-T10a GH-T10b GH-032a GH-032b GH-032c GH-029b: is retried five times with growing waits, then probed until it heals, while the board goes on', async () => {
    await using shop = await sourceForge('github');
    const number = shop.ada.openIssue(REPO, { title: 'Add a cart', body: '' });
    shop.ada.addLabels(REPO, number, ['ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    assert.equal((await hall.health()).status, 'up');
    shop.forge.faults.inject({ is: 'status', status: 500 }, { times: Number.POSITIVE_INFINITY });
    await hall.sync();

    const failures = await until('all retries have failed', async () => {
      const { events } = await hall.fixture.get('/v1/events?type=SourceFailed&order=oldest');
      return events.length === 6 && (events as Json[]);
    });
    assert.deepEqual(
      failures.map(({ facts: { tries } }) => tries),
      [1, 2, 3, 4, 5, 6],
    );
    const times = failures.map(({ at }) => Date.parse(at));
    const waits = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    for (const [n, wait] of waits.entries()) assert.ok(wait >= 50 * 2 ** n - 5, `${waits}`);
    const { status, says } = await hall.health();
    assert.equal(status, 'degraded');
    assert.match(
      says,
      /^shop-github-issues: task source unavailable: .*500.*gave up after 5 retries/,
    );
    assert.equal((await hall.fixture.get('/v1/health')).status, 'degraded');

    const worker = await hall.fixture.worker();
    await worker.complete(await worker.claimed());
    assert.equal((await hall.taskCalled('Add a cart')).state, 'completed');

    shop.forge.faults.clear();
    await until('it is read again', async () => (await hall.health()).status === 'up');
    const { events } = await hall.fixture.get('/v1/events?type=SourceFailed');
    assert.equal(events.length, 6);
  });

  it('GH-029b: is degraded while nobody reads it, with the reason', async () => {
    await using hall = await SourceHall.start({
      sources: [{ kind: 'spec-files' }, { kind: 'api' }],
    });
    assert.deepEqual(await hall.health(), {
      name: 'sources',
      status: 'degraded',
      says: 'shop-spec-files: nobody reads it: project shop has no repository',
    });
    const { code, stderr } = await hall.run('sources', 'sync', 'none');
    assert.equal(code, 1);
    assert.match(stderr, /there is no task source none\n.*sources list/);
  });
});
