import { availableParallelism } from 'node:os';
import { CHECK_NAMES, runCheck } from './checks.ts';
import { inLanes, type Job } from './run-plan.ts';
import { lineOf } from './run-report.ts';
import { asksForTier } from './suite-tiers.ts';
import { runSuites, type SuiteResult } from './suites.ts';
import { TIER_VARIABLE, type Tier } from './tier-names.ts';
import { readUsualTimes, usualOf } from './usual-times.ts';

interface JobOptions {
  readonly tier: Tier;
  readonly namePattern: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** One for each core; two on a single core, because suites also wait. */
export const LANES: number = Math.max(2, availableParallelism());

/** Runs the jobs in the order of the plan and reports each as it ends. */
export async function runJobs(jobs: readonly Job[], options: JobOptions): Promise<SuiteResult[]> {
  const results: SuiteResult[] = [];
  await inLanes(jobs, LANES, async (job) => {
    if (options.signal.aborted) return;
    for (const result of await runJob(job, options)) {
      results.push(result);
      options.report(lineOf(result));
    }
  });
  return results;
}

async function runJob({ name, files, pass }: Job, options: JobOptions): Promise<SuiteResult[]> {
  if (CHECK_NAMES.includes(name)) return [await runCheck(name)];
  const { tier, namePattern, variables, signal } = options;
  const results = await runSuites(files, {
    namePattern,
    variables: { ...variables, ...pass?.variables, [TIER_VARIABLE]: tier },
    signal,
    usualSeconds: usualOf(files, tier, readUsualTimes()),
    mayBeEmpty: (file) => tier !== 'full' && asksForTier(file),
  });
  return results.map((result) => ({ ...result, ...(pass?.title && { on: pass.title }) }));
}
