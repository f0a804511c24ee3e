import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../support/hall-fixture.ts';
import { SourceHall, sourceRepository } from '../support/source-hall.ts';

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

function task(id: string, name: string, more = ''): string {
  return `
### ${id}: ${name}

${more}

**Description**: do it.

**Acceptance Criteria**:
- [ ] it works
`;
}

describe('a Spiral Grove source', () => {
  it('GH-130 GH-131a GH-131b GH-132a GH-132b GH-011b GH-053b: files become tasks with sizes and edges', async () => {
    using repository = sourceRepository();
    repository.commit({
      [CART]:
        HEAD +
        task(
          'TASK-001',
          'Add the table',
          '**Priority**: Low | **Complexity**: L | **Dependencies**: None',
        ) +
        task(
          'TASK-002',
          'Add the page',
          '**Priority**: Critical | **Complexity**: S | **Dependencies**: TASK-001, TASK-003',
        ) +
        task(
          'TASK-003',
          'Add the API',
          '**Priority**: High | **Complexity**: M | **Dependencies**: TASK-001',
        ),
      '.sdd/tasks/search-tasks.md':
        HEAD.replace('Ready for Implementation', 'In Progress') + task('TASK-001', 'Search'),
      '.sdd/tasks/shop/checkout-tasks.md': HEAD + task('TASK-001', 'Check out'),
      '.sdd/tasks/later-tasks.md':
        HEAD.replace('Ready for Implementation', 'Draft') + task('TASK-001', 'Later'),
      '.sdd/tasks/notes.md': '# Notes\n\n### TASK-009: not a task\n',
    });
    await using hall = await SourceHall.start({
      repo: `file:${repository.path}`,
      sources: [{ kind: 'spiral-grove', path: '.sdd/tasks' }],
    });
    const source = await hall.sync();
    const tasks = await hall.tasks();
    assert.deepEqual(
      tasks.map(({ title, size, state }) => [title, size, state]),
      [
        ['TASK-001: Add the table', 'L', 'available'],
        ['TASK-002: Add the page', 'S', 'blocked'],
        ['TASK-003: Add the API', 'M', 'blocked'],
        ['TASK-001: Search', 'M', 'available'],
        ['TASK-001: Check out', 'M', 'available'],
      ],
    );
    assert.equal(source.progress, '0 of 5 completed, 5 waiting');
    console.log(
      JSON.stringify(source, null, 1),
      (await hall.run('sources', 'list')).stdout,
      (await hall.run('board')).stdout,
    );
    const worker = await hall.fixture.worker();
    const first = await worker.claimed();
    assert.equal(first.task.id, tasks[0]?.id);
  });
});
