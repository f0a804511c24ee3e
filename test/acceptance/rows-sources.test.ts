import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { API_STORES } from '../support/acceptance-stores.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { SourceHall, type SourceRepository, sourceRepository } from '../support/source-hall.ts';

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

function groveHall(
  repository: SourceRepository,
  project: object = {},
  options: object = {},
  start?: Parameters<typeof SourceHall.start>[2],
) {
  const source = { kind: 'spiral-grove', path: '.sdd/tasks' };
  const shop = { repo: `file:${repository.path}`, sources: [source], ...project };
  return SourceHall.start(shop, options, start);
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

for (const on of API_STORES) {
  on.test(
    `what a source posted is known after a restart on ${on.store}, and the log proves it`,
    async (place) => {
      using repository = sourceRepository();
      const [one, two] = [task('TASK-001', 'Add the table'), task('TASK-002', 'Add the page')];
      repository.commit({ [CART]: HEAD + one + two });
      await using hall = await groveHall(repository, {}, {}, (options) => place.start(options));
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
    },
  );
}
