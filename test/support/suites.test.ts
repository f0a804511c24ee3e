import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { oldBuild } from './old-build.ts';
import { neededParts } from './parts.ts';
import { lineOf, summaryOf } from './run-report.ts';
import { runSuite, type SuiteResult } from './suites.ts';

const folder = mkdtempSync(join(tmpdir(), 'guildhall-suites-'));
after(() => rmSync(folder, { recursive: true }));

describe('a test file', () => {
  it('is told test by test, with the suites around each', async () => {
    const result = await suite(`
      describe('a board', () => {
        it('is there', () => {});
        it('is full', () => assert.equal(1, 2));
        it('is empty', { skip: 'no reason' }, () => {});
      });
      describe('a hall', { skip: 'closed' }, () => { it('is open', () => {}); });`);

    assert.equal(result.passed, 1);
    assert.deepEqual(titles(result.failures), ['a board › is full']);
    assert.deepEqual(titles(result.skipped), ['a board › is empty', 'a hall']);
  });

  it('runs only the tests that a pattern names', async () => {
    const result = await suite(
      `test('claims', () => {}); test('reports', () => assert.fail());`,
      'claims',
    );
    assert.equal(result.passed, 1);
    assert.deepEqual(result.failures, []);
  });

  it('reads what the parts have brought from its environment', async () => {
    const result = await suite(
      `test('has it', () => assert.equal(process.env.GUILDHALL_TEST_SOMETHING, 'brought'));`,
    );
    assert.deepEqual(result.failures, []);
  });
});

describe('a test file fails', () => {
  for (const [when, text, because, limits] of [
    ['it cannot be loaded', `throw new Error('no such luck');`, /no such luck/],
    ['it has no tests', '', /has no tests/],
    [
      'it ends the process',
      `test('a', () => process.exit(0));`,
      /ended with exit code 0 too early/,
    ],
    [
      'it leaves something open',
      `test('a', () => {}); setInterval(() => {}, 9);`,
      /is open/,
      { exit: 500 },
    ],
    [
      'it hangs',
      `test('a', () => new Promise(() => setInterval(() => {}, 9)));`,
      /did not end/,
      { file: 3_000 },
    ],
    ['work fails after its test', `test('a', () => { Promise.reject(new Error('x')); });`, /ended/],
  ] as const) {
    it(`when ${when}`, async () => {
      const { failures } = await suite(text, undefined, limits);
      assert.match(failures.map((failure) => failure.because).join(), because);
    });
  }
});

describe('the end of a run', () => {
  const result = { name: 'a.test.ts', seconds: 1, passed: 3, skipped: [], output: 'said' };
  const failures = [{ title: 'a board › is full', because: '1 is not 2' }];

  it('names each failing test and counts on a line of its own', () => {
    assert.deepEqual(summaryOf([{ ...result, failures }], []), [
      '',
      'failed: a.test.ts: a board › is full',
      '    1 is not 2',
      '  printed by a.test.ts:',
      '    said',
      '',
      '3 passed, 1 failed, 0 skipped',
    ]);
  });

  it('says as a file ends what failed first, for who sees only a part of the output', () => {
    const because = 'Error: the hall ended with 1\nat a place';
    const failures = ['a', 'b', 'c', 'd'].map((title) => ({ title, because }));
    const [line, ...under] = lineOf({ ...result, failures }).split('\n');
    assert.match(line ?? '', /^FAILED /);
    assert.deepEqual(
      under.map((each) => each.trim()),
      ['a', 'b', 'c'].map((title) => `${title}: Error: the hall ended with 1`),
    );
  });

  it('says last what was not run, and why', () => {
    const lines = summaryOf([{ ...result, failures: [] }], ['not run: this, because of that']);
    assert.equal(lines.at(-1), 'not run: this, because of that');
  });
});

describe('a build', () => {
  it('that is older than the sources is told, and one that is not is not', () => {
    const root = mkdtempSync(join(folder, 'built-'));
    const place = (path: string, seconds: number) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), '');
      utimesSync(join(root, path), seconds, seconds);
    };
    place('src/cli/main.ts', 2_000);
    assert.equal(oldBuild(root), undefined);
    place('dist/cli/main.js', 3_000);
    assert.equal(oldBuild(root), undefined);
    place('src/domain/a.ts', 4_000);
    assert.match(oldBuild(root) ?? '', /older than src\/domain\/a\.ts/);
  });
});

describe('a part', () => {
  it('is brought for the files that reach its variable, and for no others', () => {
    const names = (file: string) => neededParts([file]).map(({ name }) => name);
    assert.deepEqual(names('test/support/postgres.test.ts'), ['postgres']);
    assert.deepEqual(names('test/architecture.test.ts'), []);
  });
});

/** So long that no machine is too busy; only the case that runs into one of them has a short one. */
const LONG = { file: 120_000, exit: 120_000 };

async function suite(
  text: string,
  namePattern?: string,
  limits: Partial<typeof LONG> = {},
): Promise<SuiteResult> {
  const file = join(folder, `${Math.random()}.test.ts`);
  const imports = `import assert from 'node:assert/strict';
    import { describe, it, test } from 'node:test';`;
  writeFileSync(file, `${imports}\n${text}`);
  const options = {
    namePattern,
    variables: { GUILDHALL_TEST_SOMETHING: 'brought' },
    signal: new AbortController().signal,
    report: () => undefined,
  };
  return runSuite(file, options, { ...LONG, ...limits });
}

function titles(endings: readonly { title: string }[]): string[] {
  return endings.map(({ title }) => title);
}
