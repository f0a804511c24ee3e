import { CHECK_NAMES } from './support/checks.ts';
import { ownCpuSeconds } from './support/cpu-time.ts';
import { isPure } from './support/pure-suites.ts';
import { LANES, runJobs } from './support/run-jobs.ts';
import { planJobs } from './support/run-plan.ts';
import { summaryOf, timesOf } from './support/run-report.ts';
import { findSuites } from './support/suites.ts';
import { expectedOf, readUsualTimes } from './support/usual-times.ts';

/** `npm run check`: format, types, lint, pure suites, architecture and docs, in under a minute. */
const found = findSuites(['src/**/*.test.ts', 'test/**/*.test.ts'], []);
const files = found.filter(
  (file) => isPure(file) || /^test\/(architecture|docs)\.test\.ts$/.test(file),
);
const times = readUsualTimes();
const jobs = planJobs(CHECK_NAMES, files, (names) => expectedOf(names, 'test', times));
const started = performance.now();

const results = await runJobs(jobs, {
  tier: 'test',
  namePattern: undefined,
  variables: {},
  signal: new AbortController().signal,
  report: console.log,
});
const left = `left to npm test: ${found.length - files.length} suites that start processes, wait or need a part`;
console.log(summaryOf(results, [left]).join('\n'));
console.log(timesOf((performance.now() - started) / 1000, ownCpuSeconds(), LANES));
process.exitCode = results.some(({ failures }) => failures.length > 0) ? 1 : 0;
