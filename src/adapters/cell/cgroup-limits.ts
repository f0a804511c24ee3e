import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../../domain/project.ts';

/** How one limit is written to a control group, and how the group reports that it was exceeded. */
export interface CgroupLimit {
  readonly limit: keyof Limits;
  readonly controller: string;
  set(folder: string, value: number): void;
  /** How often it was exceeded since the group was created. */
  hitCount(folder: string): number;
}

const CPU_PERIOD = 100_000;

/** The same in both versions. */
const PIDS: CgroupLimit = {
  limit: 'pids',
  controller: 'pids',
  set: (folder, value) => write(folder, 'pids.max', value),
  hitCount: (folder) => count(folder, 'pids.events', 'max'),
};

/** The files of cgroup v2, one hierarchy for everything. */
export const CGROUP_V2: readonly CgroupLimit[] = [
  {
    limit: 'memoryBytes',
    controller: 'memory',
    set(folder, value) {
      write(folder, 'memory.max', value);
      writeIfExists(folder, 'memory.swap.max', 0);
      writeIfExists(folder, 'memory.oom.group', 1);
    },
    hitCount: (folder) => count(folder, 'memory.events', 'oom_kill'),
  },
  PIDS,
  {
    limit: 'cpus',
    controller: 'cpu',
    set: (folder, value) =>
      write(folder, 'cpu.max', `${Math.round(value * CPU_PERIOD)} ${CPU_PERIOD}`),
    hitCount: neverHit,
  },
];

/** The files of cgroup v1, one hierarchy per controller, as older systems mount them. */
export const CGROUP_V1: readonly CgroupLimit[] = [
  {
    limit: 'memoryBytes',
    controller: 'memory',
    set(folder, value) {
      write(folder, 'memory.limit_in_bytes', value);
      writeIfExists(folder, 'memory.memsw.limit_in_bytes', value);
    },
    hitCount: (folder) => count(folder, 'memory.oom_control', 'oom_kill'),
  },
  PIDS,
  {
    limit: 'cpus',
    controller: 'cpu',
    set(folder, value) {
      write(folder, 'cpu.cfs_period_us', CPU_PERIOD);
      write(folder, 'cpu.cfs_quota_us', Math.round(value * CPU_PERIOD));
    },
    hitCount: neverHit,
  },
];

/** A program at its CPU share is throttled, not ended. */
function neverHit(): number {
  return 0;
}

function write(folder: string, name: string, value: number | string): void {
  // Never create the file: if the kernel does not show it, it does not enforce the limit.
  writeFileSync(join(folder, name), String(value), { flag: 'r+' });
}

function writeIfExists(folder: string, name: string, value: number): void {
  if (existsSync(join(folder, name))) write(folder, name, value);
}

function count(folder: string, name: string, key: string): number {
  const text = readFileSync(join(folder, name), 'utf8');
  return Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}
