import type { Pass } from './parts-for-run.ts';
import { isPure } from './pure-suites.ts';

/** The unit of work of a lane: a check, a suite in its own process, or the suites that share one. */
export interface Job {
  readonly name: string;
  readonly files: readonly string[];
  /** The expected CPU seconds. */
  readonly seconds: number;
  /** Which of several runs of the same files it is, if there are several. */
  readonly pass?: Pass;
  /** Most of its time passes without CPU use, such as for leases or a database to time out. */
  readonly mostlyWaits: boolean;
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
  waits: readonly string[] = [],
): Job[] {
  const pure = files.filter((file) => isPure(file));
  const others = files.filter((file) => !pure.includes(file));
  const named = [
    ...checks.map((name) => ({ name, files: [], seconds: expected([name]) })),
    ...others.map((file) => ({ name: file, files: [file], seconds: expected([file]) })),
    ...(pure.length > 0 ? [{ name: 'pure suites', files: pure, seconds: expected(pure) }] : []),
  ];
  return named
    .map((job) => ({ ...job, mostlyWaits: waits.includes(job.name) }))
    .sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1));
}

/** Each job once for each pass of its files. */
export function inPasses(
  jobs: readonly Job[],
  passesOf: (files: readonly string[]) => readonly Pass[],
): Job[] {
  return jobs.flatMap((job) => passesOf(job.files).map((pass) => ({ ...job, pass })));
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

/** Runs the jobs, so many at once, and beside them one at a time of those that mostly wait. */
export async function inLanes(
  jobs: readonly Job[],
  lanes: number,
  work: (job: Job) => Promise<void>,
): Promise<void> {
  const queue = [...jobs];
  async function lane(mayTake: (job: Job) => boolean): Promise<void> {
    for (let at = queue.findIndex(mayTake); at >= 0; at = queue.findIndex(mayTake)) {
      for (const job of queue.splice(at, 1)) await work(job);
    }
  }
  const waiting = lane(({ mostlyWaits }) => mostlyWaits);
  await Promise.all([waiting, ...Array.from({ length: lanes }, () => lane(() => true))]);
}
