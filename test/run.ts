import { parseArgs } from 'node:util';
import { changedSince, suitesReachedBy } from './support/changed-files.ts';
import { CHECK_NAMES } from './support/checks.ts';
import { ownCpuSeconds } from './support/cpu-time.ts';
import { bringParts } from './support/parts-for-run.ts';
import { LANES, runJobs } from './support/run-jobs.ts';
import { inPasses, inShard, planJobs, shardCalled } from './support/run-plan.ts';
import { summaryOf, timesOf } from './support/run-report.ts';
import { staleBuild } from './support/stale-build.ts';
import { leftToFull, suitesInTier } from './support/suite-tiers.ts';
import { findSuites, type SuiteResult } from './support/suites.ts';
import { tierCalled } from './support/tier-names.ts';
import {
  expectedOf,
  readUsualTimes,
  withMeasured,
  writeUsualTimes,
} from './support/usual-times.ts';

/**
 * `npm test`: everything that can be proved on this machine in a few minutes.
 *
 *   npm run test:full                 everything; the same as npm test -- --tier=full
 *   npm test -- --tier=rest           what npm test leaves to npm run test:full
 *   npm test -- <part of a path>...   only the files whose path contains one of these
 *   npm test -- --name=<regex>        only the tests whose title matches
 *   npm test -- --changed[=<commit>]  only what can be reached by a change since it, or on this branch
 *   npm test -- --shard=1/3           one of several parts that take about as long
 *   npm test -- --record-times        also writes down the processor time of each suite
 *   npm run test:live                 only what asks a real model, which needs GUILDHALL_LIVE_KEY
 *   GUILDHALL_REQUIRE=postgres        fail if this part could not be had
 */
const { values, positionals } = parseArgs({
  args: process.argv.slice(2).map((arg) => (arg === '--changed' ? '--changed=' : arg)),
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    live: { type: 'boolean', default: false },
    tier: { type: 'string', default: 'test' },
    changed: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    'record-times': { type: 'boolean', default: false },
  },
});

const { live } = values;
const tier = tierCalled(values.tier);
const shard = shardCalled(values.shard);

const old = staleBuild();
if (old) {
  console.error(old);
  process.exit(1);
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort());
}

const found = findSuites(['src/**/*.test.ts', 'test/**/*.test.ts'], positionals, { live });
const changed = values.changed === undefined ? undefined : changedSince(values.changed);
const reached = changed === undefined ? found : suitesReachedBy(changed, found);
const files = live ? reached : suitesInTier(reached, tier);
if (changed) console.log(sayReached(changed, files));

const isPartial = live || positionals.length > 0 || values.name !== undefined;
const checks = isPartial || tier === 'rest' || changed?.length === 0 ? [] : CHECK_NAMES;
const times = readUsualTimes();
const plan = planJobs(checks, files, (names) => expectedOf(names, tier, times), times.waits);
const jobs = inShard(plan, shard);

const started = performance.now();
const results = await run();
if (values['record-times']) recordTimes(results);
console.log(timesOf((performance.now() - started) / 1000, ownCpuSeconds(), LANES));

async function run(): Promise<SuiteResult[]> {
  await using parts = await bringParts({
    files: jobs.flatMap((job) => job.files),
    tier,
    required: (process.env['GUILDHALL_REQUIRE'] ?? '').split(',').filter(Boolean),
    report: console.log,
  });
  const { variables } = parts;
  const { name: namePattern } = values;
  const { signal } = interruption;
  const results = await runJobs(inPasses(jobs, parts.passesOf), {
    tier,
    namePattern,
    variables,
    signal,
    report: console.log,
  });

  const left = tier === 'test' && !live ? leftToFull(found) : undefined;
  const notRun = [...parts.real, ...parts.notRun, ...(left === undefined ? [] : [left])];
  console.log(summaryOf(results, notRun).join('\n'));

  const failed = results.some(({ failures }) => failures.length > 0);
  const isEmpty = results.length === 0 && changed === undefined && shard.of === 1;
  process.exitCode = failed || parts.areWanting || isEmpty ? 1 : 0;
  if (signal.aborted) process.exitCode = 130;
  return results;
}

function sayReached(changes: readonly string[], suites: readonly string[]): string {
  if (changes.length === 0) return 'no file has changed, so no suite runs';
  const list = changes.map((file) => `  ${file}`).join('\n');
  return `changed:\n${list}\n${suites.length} of ${found.length} suites depend on these files`;
}

function recordTimes(measured: readonly SuiteResult[]): void {
  if (tier === 'full') throw new Error('--record-times needs --tier=test or --tier=rest');
  writeUsualTimes(withMeasured(readUsualTimes(), tier, measured));
}
