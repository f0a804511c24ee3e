import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PROBLEMS } from '../src/http/problem.ts';
import { REFUSAL_STATUS } from '../src/http/refusal-status.ts';
import { clauseList, conformancePage } from './conformance.ts';
import {
  adapterReadmesAreShort,
  docsHaveAPlace,
  linksResolve,
  namedFilesExist,
  readmeIsShort,
  taskPathIsWhole,
} from './support/guards/docs.ts';
import { errorsPageIsComplete } from './support/guards/errors-page.ts';
import {
  dependenciesArePinned,
  lockHasNoAddresses,
  noInstallScripts,
  noMachinePaths,
} from './support/guards/packages.ts';
import {
  lettersHaveNoGap,
  requirementsAreCounted,
  titlesNameClauses,
} from './support/guards/requirements.ts';
import type { Section } from './support/requirements/section.ts';
import { REQUIREMENTS } from './support/requirements.ts';
import { readTree, type TreeFile } from './support/tree.ts';

type Example = Readonly<Record<string, string>>;

interface Guarded {
  readonly guard: (files: readonly TreeFile[]) => string[];
  /** Small trees, as text by path; each of them must be refused. */
  readonly refused: readonly Example[];
  readonly allowed: readonly Example[];
}

const readme = 'npm install && npm start\nnpm install && npm test\n';
const steps =
  'post route claim workspace prompt agent tool_gate harvest push report checks review merge dependents';
const taskPath = [
  '## The path of a task\n\n| Step | What happens | Where |\n| --- | --- | --- |\n',
  ...steps.split(' ').map((step) => `| ${step.replace('_', ' ')} | a | \`src/a.ts\` |\n`),
].join('');
const home = `/${'home'}/ada/hall`;
const lock = (locked: object) => ({
  'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': locked } }),
});

const GUARDS: Readonly<Record<string, Guarded>> = {
  'README.md is short and names the two commands': {
    guard: readmeIsShort,
    refused: [
      {},
      { 'README.md': readme + 'line\n'.repeat(119) },
      { 'README.md': 'npm install && npm start' },
    ],
    allowed: [{ 'README.md': readme + 'line\n'.repeat(118) }],
  },
  'docs/ has three folders and the conformance page': {
    guard: docsHaveAPlace,
    refused: [{ 'docs/plan.md': '' }, { 'docs/reports/summary.md': '' }],
    allowed: [{ 'docs/guide/start.md': '', 'docs/conformance.md': '' }],
  },
  'relative links resolve': {
    guard: linksResolve,
    refused: [
      { 'README.md': '[a](docs/guide/gone.md)' },
      { 'docs/guide/a.md': '[a](README.md)', 'README.md': '' },
      { 'README.md': '[a](#words)' },
      { 'README.md': '![a](docs/gone.png "title")' },
      { 'README.md': '[a]: docs/gone.md' },
    ],
    allowed: [
      {
        'README.md': '[a](docs/guide/a.md#the-words-we-use)',
        'docs/guide/a.md': '## The words, we use',
      },
      { 'docs/guide/a.md': '[a](../../README.md) [b](../guide/)', 'README.md': '' },
      { 'README.md': '[a](https://example.org/x) `[b](gone.md)`' },
      { 'README.md': '```\n[a](gone.md)\n```' },
    ],
  },
  'pages about the code name files that exist': {
    guard: namedFilesExist,
    refused: [
      { 'ARCHITECTURE.md': 'see `src/domain/gone.ts`' },
      { 'src/adapters/git/README.md': 'see `gone.ts`', 'src/adapters/cell/gone.ts': '' },
    ],
    allowed: [
      { 'ARCHITECTURE.md': 'see `src/domain/task.ts`', 'src/domain/task.ts': '' },
      { 'src/adapters/git/README.md': 'see `push.ts`', 'src/adapters/git/push.ts': '' },
      { 'docs/guide/a.md': 'put it into `index.ts`' },
    ],
  },
  'ARCHITECTURE.md has the path of a task from post to dependents': {
    guard: taskPathIsWhole,
    refused: [
      {},
      { 'ARCHITECTURE.md': taskPath.replace('| push | a | `src/a.ts` |\n', '') },
      { 'ARCHITECTURE.md': taskPath.replace('| push | a | `src/a.ts` |', '| push | a | there |') },
    ],
    allowed: [
      { 'ARCHITECTURE.md': taskPath },
      { 'ARCHITECTURE.md': `${taskPath}\n## Errors\n\n| more | a | there |\n` },
    ],
  },
  'the README of an adapter is short': {
    guard: adapterReadmesAreShort,
    refused: [{ 'src/adapters/git/README.md': 'line\n'.repeat(21) }],
    allowed: [{ 'src/adapters/git/README.md': 'line\n'.repeat(20) }],
  },
  'dependencies have exact versions': {
    guard: dependenciesArePinned,
    refused: ['^1.0.0', '~1.0.0', '1.x', 'latest', 'file:../a'].map((version) => ({
      'package.json': JSON.stringify({ devDependencies: { a: version } }),
    })),
    allowed: [{ 'package.json': JSON.stringify({ dependencies: { a: '18.4.0-beta.17' } }) }],
  },
  'the lock file has no addresses': {
    guard: lockHasNoAddresses,
    refused: [lock({ resolved: 'https://mirror.example/a.tgz' })],
    allowed: [lock({ version: '1.0.0' })],
  },
  'no shipped package has an install script': {
    guard: noInstallScripts,
    refused: [lock({ hasInstallScript: true }), lock({ hasInstallScript: true, optional: true })],
    allowed: [lock({ hasInstallScript: true, dev: true })],
  },
  'no file contains a path of one machine': {
    guard: noMachinePaths,
    refused: [{ 'a.ts': `const a = '${home}';` }, { 'a.md': `see ${home}` }],
    allowed: [{ 'a.md': `https://example.org${home} and ~${home}` }],
  },
  'titles of tests name clauses of the specification, never bare rows': {
    guard: (files) => titlesNameClauses(files, REQUIREMENTS),
    refused: [
      { 'test/a.test.ts': "it('GH-999: flies', () => {});" },
      { 'test/a.test.ts': "it('GH-011: has a size', () => {});" },
      { 'test/a.test.ts': "it('GH-011z: has a size', () => {});" },
      { 'test/a.test.ts': "it('GH-T06a: blocks a third claim', () => {});" },
      { 'src/a.test.ts': "describe('GH-T09: a board', () => { it('is shown', () => {}); });" },
      { 'test/cases.ts': "const CASES = [{ title: 'GH-T06 GH-010: as a row of a table' }];" },
    ],
    allowed: [
      { 'test/a.test.ts': "it('GH-T06 GH-011a: blocks a third claim', () => {});" },
      { 'test/a.test.ts': "it('A35 R50: names attacks and risks', () => {});" },
    ],
  },
};

const tree = readTree();

for (const [rule, { guard, refused, allowed }] of Object.entries(GUARDS)) {
  describe(rule, () => {
    it(`${rule}: holds in this repository`, () => {
      assert.deepEqual(guard(tree), []);
    });

    it(`${rule}: a violation is found`, () => {
      for (const example of refused) {
        assert.notDeepEqual(guard(filesOf(example)), [], `let through: ${JSON.stringify(example)}`);
      }
    });

    it(`${rule}: a good tree passes`, () => {
      for (const example of allowed) assert.deepEqual(guard(filesOf(example)), []);
    });
  });
}

describe('the requirements', () => {
  const oneRow = (...clauses: string[]): Section[] => [
    { title: 'Board', rows: { 'GH-010': { short: 'Every task ends', clauses } } },
  ];

  it('the requirements are the 156 rows and 383 clauses of the specification', () => {
    assert.deepEqual(requirementsAreCounted(REQUIREMENTS, { rows: 156, clauses: 383 }), []);
  });

  it('a missing row or clause of the requirements is found', () => {
    const two = oneRow('(a) with a reason', '(b) and says why');
    assert.deepEqual(requirementsAreCounted(two, { rows: 1, clauses: 2 }), []);
    for (const size of [
      { rows: 2, clauses: 2 },
      { rows: 1, clauses: 3 },
    ]) {
      assert.equal(requirementsAreCounted(two, size).length, 1);
    }
  });

  it('the clauses of each requirement have consecutive letters', () => {
    assert.deepEqual(lettersHaveNoGap(REQUIREMENTS), []);
  });

  it('clause letters that are skipped, repeated, out of order or unlisted are refused', () => {
    const [row = assert.fail()] = oneRow('(a) one', '(b) two');
    assert.deepEqual(lettersHaveNoGap([row]), []);
    for (const sections of [
      oneRow('(a) one', '(c) three'),
      oneRow('(a) one', '(a) another'),
      oneRow('(b) two', '(a) one'),
      oneRow('(a) one', 'two'),
      oneRow('(a) alone'),
      [{ title: 'Board', rows: { 'GH-010': '(a) one, (b) two' } }],
      [row, row],
    ]) {
      assert.notDeepEqual(lettersHaveNoGap(sections), [], JSON.stringify(sections));
    }
  });
});

describe('docs/conformance.md', () => {
  it('docs/conformance.md matches the titles of the tests; npm run conformance -- --write updates it', () => {
    const page = tree.find(({ path }) => path === 'docs/conformance.md');
    assert.equal(page?.text, conformancePage(tree));
  });

  const sections: readonly Section[] = [
    {
      title: 'Board',
      rows: {
        'GH-T06': 'The third claim is blocked',
        'GH-010': { short: 'Every task ends', clauses: ['(a) with a reason', '(b) and why'] },
      },
    },
  ];
  const pageFor = (text: string, path = 'test/acceptance/claims.test.ts') =>
    conformancePage(filesOf({ [path]: text }), sections);

  it('the conformance page rates each row as whole, partly or not yet, lists its open clauses and counts them', () => {
    const none = pageFor('');
    assert.match(none, /2 rows: 0 whole, 0 partly, 2 not yet\n- 3 clauses: 0 proven/);
    assert.match(none, /\| GH-T06 \| not yet \| {2}\| The third claim is blocked \|/);
    assert.match(none, /\| GH-010 \| not yet \| a b \| Every task ends \|/);

    const some = pageFor("it('GH-T06 GH-010b: blocks, and says why', () => {});");
    assert.match(some, /2 rows: 1 whole, 1 partly, 0 not yet\n- 3 clauses: 2 proven/);
    assert.match(some, /\| GH-T06 \| whole \| {2}\|/);
    assert.match(some, /\| GH-010 \| partly \| a \|/);
  });

  it('the conformance page does not count skipped tests or tests that are run by hand', () => {
    assert.match(pageFor("it.skip('GH-T06: later', () => {});"), /\| GH-T06 \| not yet/);
    const live = pageFor("it('GH-T06: with a model', () => {});", 'test/live/claims.test.ts');
    assert.match(live, /\| GH-T06 \| not yet/);
  });

  it('npm run conformance lists every clause with each test that names it', () => {
    const path = 'test/acceptance/claims.test.ts';
    const text = `
      describe('a project', () => { it('GH-T06: blocks a third claim', () => {}); });
      for (const store of stores) test(\`GH-T06: on \${store.name} too\`, () => {});
      contract({ title: 'GH-T06 GH-010a: as a row of a table' });`;
    assert.equal(
      clauseList(filesOf({ [path]: text }), sections),
      [
        'GH-T06 The third claim is blocked',
        `    ${path}: a project › GH-T06: blocks a third claim`,
        `    ${path}: GH-T06: on {store.name} too`,
        `    ${path}: GH-T06 GH-010a: as a row of a table`,
        'GH-010a (a) with a reason',
        `    ${path}: GH-T06 GH-010a: as a row of a table`,
        'GH-010b (b) and why',
        '    not yet',
        '',
      ].join('\n'),
    );
  });
});

describe('docs/reference/errors.md', () => {
  const problems = Object.entries(PROBLEMS).map(([code, [status]]) => [code, status] as const);
  const codes = { ...REFUSAL_STATUS, ...Object.fromEntries(problems) };

  it('docs/reference/errors.md lists every refusal and problem with its status, and every error', () => {
    assert.deepEqual(errorsPageIsComplete(tree, codes), []);
  });

  it('docs/reference/errors.md is compared with the code in both directions', () => {
    const files = filesOf({
      'docs/reference/errors.md': '| `name_taken` | 404 | x |\n| `Gone` | x |\n| `Gone` | y |\n',
      'src/adapters/git/git.ts': 'class Fault extends Error {}\nclass GitFailed extends Fault {}',
    });
    assert.deepEqual(errorsPageIsComplete(files, { name_taken: 409, no_credit: 409 }), [
      'docs/reference/errors.md: no_credit is not listed',
      'docs/reference/errors.md: Fault is not listed',
      'docs/reference/errors.md: GitFailed is not listed',
      'docs/reference/errors.md: Gone is listed and does not exist',
      'docs/reference/errors.md: Gone is listed and does not exist',
      'docs/reference/errors.md: Gone is listed twice',
      'docs/reference/errors.md: name_taken is 409, not 404',
    ]);
  });
});

function filesOf(example: Example): TreeFile[] {
  return Object.entries(example).map(([path, text]) => ({ path, text }));
}
