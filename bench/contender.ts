import { setTimeout as pause } from 'node:timers/promises';
import type { CycleOptions } from './drivers/driver.ts';
import type { RemoteDriver } from './drivers/remote.ts';
import { cpuSeconds } from './measuring/process-use.ts';
import type { Reading } from './measuring/rounds.ts';
import type { Sizes } from './sizes.ts';

/** A queue in the comparison: its driver, and the servers whose CPU time is added. */
export interface Contender {
  readonly name: string;
  readonly driver: RemoteDriver;
  readonly serverPids: () => readonly number[];
  close(): Promise<void>;
}

interface Depth {
  /** Tasks that wait when a reading starts. */
  readonly waiting: number;
}

/** Claims and completes for a while, and returns the rate per second and its cost. */
export async function readCycles(
  contender: Contender,
  options: CycleOptions,
  { reading, warmUp }: Pick<Sizes, 'reading' | 'warmUp'>,
  depth: Depth,
): Promise<Reading> {
  const { driver } = contender;
  const before = await topUp(contender, depth.waiting);
  await driver.begin(options);
  await pause(warmUp * 1000);
  const cpuFrom = used(contender);
  const from = await driver.sample();
  await pause(reading * 1000);
  const to = await driver.sample();
  const cpu = usedSince(contender, cpuFrom);
  const ended = await driver.end();
  const after = await driver.waiting();
  const done = to.done - from.done;
  return {
    value: (done * 1000) / (to.at - from.at),
    cost: { client: (cpu.client * 1e6) / done, server: (cpu.server * 1e6) / done },
    void: faultIn(ended, before - after),
  };
}

/** Claims and completes so often that the compilers of both sides have done their work. */
export async function warmUp(
  contender: Contender,
  options: CycleOptions,
  cycles: number,
): Promise<void> {
  const { driver } = contender;
  await driver.begin(options);
  while ((await driver.sample()).done < cycles) await pause(LOOK_AGAIN);
  await driver.end();
}

const LOOK_AGAIN = 100;

/** Checks that each task was handed out once and that as many left the store as were counted. */
function faultIn(
  { done, twice }: { readonly done: number; readonly twice: number },
  gone: number,
): string | undefined {
  if (twice > 0) return `${twice} tasks were handed out twice`;
  if (gone !== done) return `${done} tasks were completed, but ${gone} left the store`;
  return undefined;
}

/** Fills up to the given number of waiting tasks and lets the store settle. Returns how many wait then. */
export async function topUp({ driver }: Contender, waiting: number): Promise<number> {
  const present = await driver.waiting();
  if (present >= waiting) return present;
  await driver.fill({ count: waiting - present });
  await driver.tidy();
  return driver.waiting();
}

interface Used {
  readonly client: number;
  readonly server: number;
}

export function used({ driver, serverPids }: Contender): Used {
  let server = 0;
  for (const pid of serverPids()) server += cpuSeconds(pid);
  return { client: cpuSeconds(driver.pid), server };
}

export function usedSince(contender: Contender, before: Used): Used {
  const now = used(contender);
  return { client: now.client - before.client, server: now.server - before.server };
}
