import { isPure } from './pure-suites.ts';

/** The unit of work of a lane: a check, a suite in its own process, or the suites that share one. */
export interface Job {
  readonly name: string;
  readonly files: readonly string[];
  /** The expected CPU seconds. */
  readonly seconds: number;
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** The jobs of a run, longest first, so that no long job starts when the others are done. */
export function planJobs(
  checks: readonly string[],
  files: readonly string[],
  expected: (names: readonly string[]) => number,
): Job[] {
  const pure = files.filter((file) => isPure(file));
  const others = files.filter((file) => !pure.includes(file));
  return [
    ...checks.map((name) => ({ name, files: [], seconds: expected([name]) })),
    ...others.map((file) => ({ name: file, files: [file], seconds: expected([file]) })),
    ...(pure.length > 0 ? [{ name: 'pure suites', files: pure, seconds: expected(pure) }] : []),
  ].sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1));
}

/** One of several parts of a plan that take about the same time. */
export function inShard(jobs: readonly Job[], { index, of }: Shard): Job[] {
  const loads = Array.from({ length: of }, () => 0);
  return jobs.filter(({ seconds }) => {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + seconds;
    return lightest === index - 1;
  });
}

/** "2/3" is the second of three. */
export function shardCalled(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new Error(`--shard=${text} is not valid; expected the form --shard=1/3`);
}

/** Runs the jobs, so many at once. */
export async function inLanes(
  jobs: readonly Job[],
  lanes: number,
  work: (job: Job) => Promise<void>,
): Promise<void> {
  const waiting = [...jobs];
  async function lane(): Promise<void> {
    for (let job = waiting.shift(); job; job = waiting.shift()) await work(job);
  }
  await Promise.all(Array.from({ length: lanes }, () => lane()));
}
