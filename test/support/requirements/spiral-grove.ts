import type { Section } from './section.ts';

export const SPIRAL_GROVE: Section = {
  title: 'Spiral Grove breakdown files',
  rows: {
    'GH-130':
      'Reads `.sdd/tasks/YYYY-MM-DD-<feature>-tasks.md`, older `<feature>-tasks.md`, and nested `<parent>/<child>-tasks.md`',
    'GH-131': {
      short: 'Reads the frontmatter leniently and posts only what is ready or in progress',
      clauses: [
        '(a) Frontmatter `specification`, `plan` (markdown links: parsed leniently), `status`, `version`, `created`, `last_updated`, `authored_by[]`;',
        '(b) only `Ready for Implementation` and `In Progress` are posted',
      ],
    },
    'GH-132': {
      short: 'Reads tasks with priority, complexity, dependencies and acceptance criteria',
      clauses: [
        '(a) `### TASK-001: Name`, then `**Priority**: … | **Complexity**: S|M|L | **Dependencies**: TASK-xxx, … or None`, Description, Acceptance Criteria (checklist), Files, Testing;',
        '(b) Dependencies become edges on the board',
      ],
    },
    'GH-133':
      'The older layout (`### Task 1: Name` with separate `**ID**`, `**Category**`, `**Estimate**`, `**Dependencies**` lines) too',
  },
};
