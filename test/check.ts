import { runChecks } from './support/checks.ts';
import { neededParts } from './support/parts.ts';
import { lineOf, summaryOf } from './support/run-report.ts';
import { findSuites, runSuites, type SuiteResult } from './support/suites.ts';

/** `npm run check`: format, types, lint, unit tests, architecture and docs, in under a minute. */
const files = findSuites(
  ['src/**/*.test.ts', 'test/architecture.test.ts', 'test/docs.test.ts'],
  [],
);
const quick = files.filter((file) => neededParts([file]).length === 0);
const report = (result: SuiteResult) => console.log(lineOf(result));

const results = [
  ...(await runChecks(report)),
  ...(await runSuites(quick, {
    namePattern: undefined,
    variables: {},
    signal: new AbortController().signal,
    report,
  })),
];
const notRun = neededParts(files).map(
  ({ suites }) => `not run: ${suites}, because a quick check brings nothing; npm test does`,
);
console.log(summaryOf(results, notRun).join('\n'));
process.exitCode = results.some(({ failures }) => failures.length > 0) ? 1 : 0;
