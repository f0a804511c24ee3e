import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBreakdownFile, parseBreakdown } from './spiral-grove.ts';

const READY = '---\nstatus: Ready for Implementation\n---\n';

function read(text: string) {
  const { items, file, problems } = parseBreakdown('t/a-tasks.md', text);
  return {
    notPosted: file.notPosted,
    tasks: items.map(({ title, size, dependsOn, isDone }) => ({
      title,
      size,
      on: dependsOn.map((id) => id.replace('t/a-tasks.md#', '')),
      isDone,
    })),
    problems: problems.map(({ line, because }) => `${line}: ${because}`),
  };
}

/** The value of a `Dependencies` entry of TASK-004, and what it means. */
const DEPENDENCIES: readonly (readonly [written: string, meant: readonly string[]])[] = [
  ['None', []],
  ['none (can start immediately)', []],
  ['–', []],
  ['', []],
  ['TASK-001', ['TASK-001']],
  ['TASK-001, TASK-003', ['TASK-001', 'TASK-003']],
  ['TASK-001 (the schema, all of it), `TASK-002`', ['TASK-001', 'TASK-002']],
  ['[TASK-002](#task-002-two) and Task 3', ['TASK-002', 'TASK-003']],
  ['task-1; TASK-2', ['TASK-001', 'TASK-002']],
  ['TASK-001 through TASK-003', ['TASK-001', 'TASK-002', 'TASK-003']],
  ['TASK-001–003', ['TASK-001', 'TASK-002', 'TASK-003']],
];

describe('dependencies of a breakdown', () => {
  for (const [written, meant] of DEPENDENCIES) {
    it(`"${written}" means ${meant.join(', ') || 'nothing'}`, () => {
      const others = ['### TASK-001: one', '### TASK-002: two', '### TASK-003: three'].join('\n\n');
      const last = `### TASK-004: four\n\n**Complexity**: S | **Dependencies**: ${written}\n`;
      const { tasks, problems } = read(`${READY}${others}\n\n${last}`);
      assert.deepEqual(problems, []);
      assert.deepEqual(tasks.at(-1)?.on, meant);
    });
  }
});

describe('a breakdown', () => {
  it('has facts in one line or in several, in bold or as a list', () => {
    const { tasks } = read(`${READY}
# Phase 1

## TASK-001: One ##

**Priority**: High | **Complexity**: L | **Dependencies**: None

#### Acceptance Criteria
- [x] a
- [ ] b

## TASK-002 - Two

- **Priority:** Low
- **Complexity:** Medium (half a day)
- **Dependencies:** TASK-001

\`\`\`md
### TASK-077: in a code block
**Complexity**: XL
\`\`\`

# Phase 2

### **TASK-010**: Three
`);
    assert.deepEqual(tasks, [
      { title: 'TASK-001: One', size: 'L', on: [], isDone: false },
      { title: 'TASK-002: Two', size: 'M', on: ['TASK-001'], isDone: false },
      { title: 'TASK-010: Three', size: null, on: [], isDone: false },
    ]);
  });

  it('has done tasks: ticked, with a status, or with all criteria ticked', () => {
    const { tasks } = read(`${READY}
### ✅ TASK-001: One
### [x] TASK-002: Two
### TASK-003: Three
**Status**: Completed
### TASK-004: Four
**Acceptance Criteria**:
- [x] a
- [X] b

**Files**:
- [ ] not a criterion
### TASK-005: Five
**Acceptance Criteria**:
- [x] a
- [ ] b
`);
    assert.deepEqual(
      tasks.map(({ isDone }) => isDone),
      [true, true, true, true, false],
    );
  });

  for (const [status, notPosted] of [
    ['Ready for Implementation', null],
    ['ready-for-implementation', null],
    ['"In Progress"', null],
    ['Draft', 'its status is Draft'],
    ['Complete', 'its status is Complete'],
  ] as const) {
    it(`with the status ${status} is ${notPosted === null ? 'posted' : 'not posted'}`, () => {
      const found = read(`---\nstatus: ${status}\n---\n### TASK-001: One\n`);
      assert.equal(found.notPosted, notPosted);
      assert.equal(found.tasks.length, notPosted === null ? 1 : 0);
      assert.deepEqual(found.problems, []);
    });
  }

  for (const [what, text, problems] of [
    [
      'without a status',
      '### TASK-001: One\n',
      ['1: has no status; write status: Ready for Implementation into its front matter'],
    ],
    [
      'without tasks',
      `${READY}# Tasks\n`,
      ['1: has no tasks; each needs a heading such as ### TASK-001: Name'],
    ],
    [
      'with a task twice',
      `${READY}### TASK-001: a\n### TASK-001: b\n`,
      ['5: TASK-001 is there twice'],
    ],
    ['with a task without a name', `${READY}### TASK-001:\n`, ['4: TASK-001 has no name']],
    [
      'with a dependency that is not there',
      `${READY}### TASK-001: a\n**Dependencies**: TASK-009, the schema\n`,
      [
        '5: TASK-001 depends on TASK-009, which is not in this file',
        '5: TASK-001 depends on the schema, which is not in this file',
      ],
    ],
    [
      'with a cycle',
      `${READY}### TASK-001: a\n**Dependencies**: TASK-002\n### TASK-002: b\n**Dependencies**: TASK-001\n`,
      ['5: the dependencies form a cycle: TASK-001 → TASK-002 → TASK-001'],
    ],
    [
      'with a code block that never ends',
      `${READY}\`\`\`\n### TASK-001: a\n`,
      ['4: this code block is never closed'],
    ],
    [
      'with a line that nobody reads',
      `${READY}### TASK-001: a\n**Dependencies**: ${'x'.repeat(10_001)}\n`,
      ['5: is longer than 10000 characters'],
    ],
    [
      'with front matter that never ends',
      '---\nstatus: Ready for Implementation\n### TASK-001: a\n',
      ['1: the front matter has no closing ---'],
    ],
  ] as const) {
    it(`${what} is refused with the line`, () => {
      const found = read(text);
      assert.deepEqual(found.problems, problems);
      assert.deepEqual(found.tasks, []);
    });
  }

  it('is told by its name, in any folder', () => {
    const paths = [
      't/2026-01-31-cart-tasks.md',
      't/cart-tasks.md',
      't/a/b-tasks.md',
      't/notes.md',
      't/-tasks.md',
    ];
    assert.deepEqual(paths.filter(isBreakdownFile), paths.slice(0, 3));
  });

  it('of the older layout takes ids from their own lines, and dependencies by id or by number', () => {
    const { tasks, problems } = read(`${READY}
### Task 1: One
**ID**: \`PAY-1\`
**Category**: Backend
**Estimate**: L
**Dependencies**: None

### Task 2: Two
**ID**: PAY-2
**Estimate**: 3 hours
**Dependencies**: PAY-1

### Task 3: Three
**Dependencies**: Task 1, Task 2
`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tasks.map(({ title, size, on }) => [title, size, on]),
      [
        ['PAY-1: One', 'L', []],
        ['PAY-2: Two', null, ['PAY-1']],
        ['TASK 3: Three', null, ['PAY-1', 'PAY-2']],
      ],
    );
  });

  it('that is made to be slow is read in linear time, and refused', () => {
    const size = 300_000;
    const hostile = [
      '`'.repeat(size),
      `${'_'.repeat(size)}x`,
      '#'.repeat(size),
      `### TASK-001: ${'['.repeat(size)}`,
      `### TASK-001: ${' '.repeat(size)}x`,
      `**Dependencies**: ${'('.repeat(size)}`,
      `### TASK-001: a\n**Dependencies**: ${'TASK-1 - '.repeat(size / 9)}`,
      `${'| '.repeat(size / 2)}\n`,
      `${'- [x] '.repeat(size / 6)}\n`,
      '\r'.repeat(size),
      'a\n=\n'.repeat(size / 4),
      '---\n'.repeat(size / 4),
    ];
    // In quadratic time the first of them would take an hour, and the run would end it.
    for (const text of hostile) {
      assert.deepEqual(parseBreakdown('t/a-tasks.md', READY + text).items, []);
    }
  });
});
