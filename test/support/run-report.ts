import type { SuiteResult } from './suites.ts';

const TOLD_AT_ONCE = 3;

/**
 * The line for a finished file, followed by its first failures, for readers who see only a part of the output.
 */
export function lineOf(result: SuiteResult): string {
  const { seconds, cpuSeconds, passed, failures, skipped } = result;
  const verdict = failures.length > 0 ? 'FAILED' : 'ok';
  const facts = [
    `${passed} passed`,
    ...(failures.length > 0 ? [`${failures.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  const times = `${inColumn(seconds)} s ${inColumn(cpuSeconds)} s cpu`;
  return [
    `${verdict.padEnd(6)} ${times}  ${nameOf(result)} (${facts.join(', ')})`,
    ...failures
      .slice(0, TOLD_AT_ONCE)
      .map(({ title, because }) => `       ${title}: ${because.trim().split('\n', 1)[0]}`),
  ].join('\n');
}

/** The summary at the end: every failure by name, the counts, and what was not run. */
export function summaryOf(results: readonly SuiteResult[], notRun: readonly string[]): string[] {
  const failed = results.filter(({ failures }) => failures.length > 0);
  return [
    ...failed.flatMap((result) => failuresOf(result)),
    ...skipReasons(results),
    '',
    `${sum(results, ({ passed }) => passed)} passed, ${sum(results, ({ failures }) => failures.length)} failed, ${sum(results, ({ skipped }) => skipped.length)} skipped`,
    ...notRun,
  ];
}

/** How long a run took, in real time and in CPU time. */
export function timesOf(seconds: number, cpuSeconds: number, lanes: number): string {
  const minutes = (cpuSeconds / 60).toFixed(1);
  return `${(seconds / 60).toFixed(1)} minutes, ${minutes} CPU minutes, ${lanes} jobs at once`;
}

function nameOf({ name, on }: SuiteResult): string {
  return on === undefined ? name : `${name} on ${on}`;
}

function inColumn(seconds: number): string {
  return seconds.toFixed(1).padStart(6);
}
function failuresOf(result: SuiteResult): string[] {
  const { name, failures, output } = result;
  const full = nameOf(result);
  const printed = output.trim() ? [`  printed by ${full}:`, indented(output.trim(), 4)] : [];
  return [
    ...failures.flatMap(({ title, because }) => [
      '',
      `failed: ${title === name ? full : `${full}: ${title}`}`,
      indented(because, 4),
    ]),
    ...printed,
  ];
}

/** Each reason once, however many tests it skipped. */
function skipReasons(results: readonly SuiteResult[]): string[] {
  const reasons = Map.groupBy(
    results.flatMap(({ skipped }) => skipped),
    ({ because }) => because,
  );
  if (reasons.size === 0) return [];
  return ['', ...[...reasons].map(([reason, tests]) => `skipped: ${tests.length} × ${reason}`)];
}

function sum(results: readonly SuiteResult[], of: (result: SuiteResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}

function indented(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
