import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { neededParts } from './parts.ts';
import { lineOf, summaryOf } from './run-report.ts';
import { staleBuild } from './stale-build.ts';
import { runSuites, type SuiteOptions, type SuiteResult } from './suites.ts';

const folder = mkdtempSync(join(tmpdir(), 'guildhall-suites-'));
after(() => rmSync(folder, { recursive: true }));

describe('a test file', () => {
  it('a test file is reported test by test, with the titles of the suites around each', async () => {
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

  it('a test file runs only the tests that match the pattern', async () => {
    const result = await suite(`test('claims', () => {}); test('reports', () => assert.fail());`, {
      namePattern: 'claims',
    });
    assert.equal(result.passed, 1);
    assert.deepEqual(result.failures, []);
  });

  it('a test file gets the values of its parts by environment variables', async () => {
    const result = await suite(
      `test('has it', () => assert.equal(process.env.GUILDHALL_TEST_SOMETHING, 'brought'));`,
    );
    assert.deepEqual(result.failures, []);
  });
});

/** Options of an impatient watchdog, only for the cases that run into it. */
const HASTY = { leastSeconds: 2, exitSeconds: 0.5, everyMs: 100 };

describe('a test file fails', () => {
  for (const [when, text, because, options] of [
    ['it cannot be loaded', `throw new Error('no such luck');`, /no such luck/],
    ['it has no tests', '', /has no tests/],
    [
      'it ends the process',
      `test('a', () => {}); test('b', () => process.exit(0));`,
      /exited too early with code 0, in .*\.test\.ts: b/,
    ],
    [
      'it leaves a handle open',
      `test('a', () => {}); setInterval(() => {}, 9);`,
      /a handle is still open/,
      { patience: HASTY },
    ],
    [
      'it hangs',
      `test('a', () => {});
       describe('b', () => { test('c', () => new Promise(() => setInterval(() => {}, 9))); });`,
      /hangs: no progress for 2 s \(adjusted for load\), in .*\.test\.ts: b › c/,
      { patience: HASTY, usualSeconds: 0 },
    ],
    [
      'it uses ten times its usual CPU time',
      `test('a', () => {}); test('b', () => { for (;;); });`,
      /used \d+\.\d s of CPU time, more than its limit of 3 s, in .*\.test\.ts: b/,
      { patience: { ...HASTY, leastSeconds: 1 }, usualSeconds: 0.3 },
    ],
    [
      'a process that it started uses ten times its usual CPU time',
      `import { spawn } from 'node:child_process';
       test('a', () => new Promise(() => spawn(process.execPath, ['-e', 'for (;;);'])));`,
      /used .* more than its limit of 3 s/,
      { patience: { ...HASTY, leastSeconds: 1 }, usualSeconds: 0.3 },
    ],
    ['work fails after its test', `test('a', () => { Promise.reject(new Error('x')); });`, /ended/],
  ] as const) {
    it(`a test file fails when ${when}`, async () => {
      const { failures } = await suite(text, options);
      assert.match(failures.map((failure) => failure.because).join(), because);
    });
  }

  it('a test file without tests does not fail if its tier may leave it empty', async () => {
    assert.deepEqual((await suite('', { mayBeEmpty: () => true })).failures, []);
  });
});

describe('files that share a process', () => {
  it('files that share a process are reported separately, and each has its own hooks', async () => {
    const good = written(`let times = 0; beforeEach(() => { times += 1; });
      test('a', () => {}); after(() => assert.equal(times, 1));`);
    const bad = written(`test('b', () => {}); test('c', () => assert.fail());`);
    const broken = written(`throw new Error('no such luck');`);
    const results = await runTogether([good, bad, broken]);

    assert.deepEqual(
      results.map(({ passed }) => passed),
      [1, 1, 0],
    );
    assert.deepEqual(
      results.map(({ failures }) => titles(failures)),
      [[], ['c'], [broken]],
    );
  });

  it('files of a process that exits too early fail, and those that had finished do not', async () => {
    const good = written(`test('a', () => {});`);
    const last = written(`test('c', () => {});`);
    const deadly = written(`test('b', () => process.exit(0));`);
    const [first, second, third] = await runTogether([good, deadly, last]);

    assert.deepEqual(first?.failures, []);
    assert.equal(first?.passed, 1);
    for (const unfinished of [second, third]) {
      assert.match(
        unfinished?.failures[0]?.because ?? '',
        /did not finish: the process of 3 suites exited too early with code 0, in .*: b/,
      );
    }
  });
});

describe('the CPU time of a suite', () => {
  const BURN =
    'const end = process.cpuUsage().user + 400_000; while (process.cpuUsage().user < end);';

  it('the CPU time of a suite includes its descendants', async () => {
    const command = `require('node:child_process').spawnSync(process.execPath, ['-e', '${BURN}'])`;
    const result = await suite(`import { spawnSync } from 'node:child_process';
      test('a', () => { spawnSync(process.execPath, ['-e', ${JSON.stringify(command)}]); ${BURN} });`);
    assert.ok(result.cpuSeconds > 0.8, `${result.cpuSeconds} s`);
  });
});

describe('the report of a run', () => {
  const result = {
    name: 'a.test.ts',
    seconds: 1,
    cpuSeconds: 2,
    passed: 3,
    skipped: [],
    output: 'said',
  };
  const failures = [{ title: 'a board › is full', because: '1 is not 2' }];

  it('the summary names each failing test and ends with the counts', () => {
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

  it('the line of a failed file shows its first failures', () => {
    const because = 'Error: the hall exited with 1\nat a place';
    const failures = ['a', 'b', 'c', 'd'].map((title) => ({ title, because }));
    const [line, ...details] = lineOf({ ...result, failures }).split('\n');
    assert.match(line ?? '', /^FAILED /);
    assert.deepEqual(
      details.map((each) => each.trim()),
      ['a', 'b', 'c'].map((title) => `${title}: Error: the hall exited with 1`),
    );
  });

  it('a result names the engine that its file was run with', () => {
    const failures = [{ title: 'a board › is full', because: '1 is not 2' }];
    const failed = { ...result, on: 'Docker', failures };
    assert.match(lineOf(failed), / a\.test\.ts on Docker \(3 passed, 1 failed\)/);
    const lines = summaryOf([failed], []);
    assert.equal(lines[1], 'failed: a.test.ts on Docker: a board › is full');
  });

  it('the summary ends with what was not run, and why', () => {
    const lines = summaryOf([{ ...result, failures: [] }], ['not run: this, because of that']);
    assert.equal(lines.at(-1), 'not run: this, because of that');
  });
});

describe('a build', () => {
  it('a build that is older than the sources is reported', () => {
    const root = mkdtempSync(join(folder, 'built-'));
    const place = (path: string, seconds: number) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), '');
      utimesSync(join(root, path), seconds, seconds);
    };
    place('src/cli/main.ts', 2_000);
    assert.equal(staleBuild(root), undefined);
    place('dist/cli/main.js', 3_000);
    assert.equal(staleBuild(root), undefined);
    place('src/domain/a.ts', 4_000);
    assert.match(staleBuild(root) ?? '', /older than src\/domain\/a\.ts/);
  });
});

describe('a part', () => {
  it('a part is provided only for files that reach its variable', () => {
    const names = (file: string) => neededParts([file]).map(({ name }) => name);
    assert.deepEqual(names('test/support/postgres.full.test.ts'), ['postgres']);
    assert.deepEqual(names('test/architecture.test.ts'), []);
    assert.deepEqual(names('src/adapters/containers/containers.test.ts'), [
      ...['bubblewrap', 'podman', 'docker'],
    ]);
  });
});

function written(text: string): string {
  const file = join(folder, `${Math.random()}.test.ts`);
  const imports = `import assert from 'node:assert/strict';
    import { after, before, beforeEach, describe, it, test } from 'node:test';`;
  writeFileSync(file, `${imports}\n${text}`);
  return file;
}

function runTogether(
  files: readonly string[],
  options: Partial<SuiteOptions> = {},
): Promise<SuiteResult[]> {
  return runSuites(files, {
    namePattern: undefined,
    variables: { GUILDHALL_TEST_SOMETHING: 'brought' },
    signal: new AbortController().signal,
    usualSeconds: undefined,
    mayBeEmpty: () => false,
    ...options,
  });
}

async function suite(text: string, options: Partial<SuiteOptions> = {}): Promise<SuiteResult> {
  const [result] = await runTogether([written(text)], options);
  assert.ok(result);
  return result;
}

function titles(endings: readonly { title: string }[]): string[] {
  return endings.map(({ title }) => title);
}
