import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../domain/project.ts';
import { CGROUP_V1, CGROUP_V2, type CgroupLimit } from '../cell/cgroup-limits.ts';
import { findCgroupV1, findCgroupV2 } from '../cell/cgroup-paths.ts';
import type { AppliedLimits, Limiter } from './limiter.ts';

/** A limit and the folder under which its groups can be created. */
interface CgroupBase extends CgroupLimit {
  readonly base: string;
}

/** Kernel control groups, for the limits that this process may create groups for. */
export function findCgroups(): Limiter {
  const bases = findBases();
  for (const base of new Set(bases.map((cgroup) => cgroup.base))) sweep(base);
  let created = 0;
  return {
    enforces: bases.map(({ limit }) => limit),
    gaps: [],
    apply({ limits }) {
      created += 1;
      return createCgroups(bases, limits, `${PREFIX}${process.pid}-${created}`);
    },
  };
}

const PREFIX = 'guildhall-';

function createCgroups(bases: readonly CgroupBase[], limits: Limits, name: string): AppliedLimits {
  const limited = bases.flatMap((cgroup) => {
    const value = limits[cgroup.limit];
    return value === null ? [] : [{ ...cgroup, value, folder: join(cgroup.base, name) }];
  });
  const folders = [...new Set(limited.map(({ folder }) => folder))];
  for (const folder of folders) mkdirSync(folder);
  for (const { set, folder, value } of limited) set(folder, value);
  return {
    cgroupFiles: folders.map((folder) => join(folder, 'cgroup.procs')),
    commandPrefix: [],
    exceeded: () => limited.find(({ hitCount, folder }) => hitCount(folder) > 0)?.limit ?? null,
    async release() {
      for (const folder of folders) await remove(folder);
    },
  };
}

/** A process that has just died holds its group for a moment, longer on a busy machine. */
async function remove(folder: string): Promise<void> {
  const deadline = performance.now() + REMOVE_TIMEOUT;
  while (existsSync(folder) && !tryRemove(folder)) {
    if (performance.now() > deadline) throw new Error(`the control group ${folder} is in use`);
    await sleep(4);
  }
}

const REMOVE_TIMEOUT = 60_000;

/** Groups of killed workers are empty, since their cells died with them. */
function sweep(base: string): void {
  for (const name of readdirSync(base).filter((each) => each.startsWith(PREFIX))) {
    const owner = name.slice(PREFIX.length).split('-')[0];
    if (!existsSync(`/proc/${owner}`)) tryRemove(join(base, name));
  }
}

function findBases(): CgroupBase[] {
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const separate = CGROUP_V1.flatMap((files) => {
    return baseFor(files, basesInV1(files.controller, own, mounts));
  });
  const missing = CGROUP_V2.filter(
    ({ limit }) => !separate.some((cgroup) => cgroup.limit === limit),
  );
  return [...separate, ...missing.flatMap((files) => baseFor(files, basesInV2(own, mounts)))];
}

function basesInV1(controller: string, own: string, mounts: string): string[] {
  const cgroup = findCgroupV1(controller, own, mounts);
  return cgroup === undefined ? [] : [cgroup.folder, cgroup.mount];
}

/**
 * A group that holds processes cannot delegate controllers to its children. So use the parent of this
 * process's group, as systemd sets it up with DelegateSubgroup=, or the root, which is exempt.
 */
function basesInV2(own: string, mounts: string): string[] {
  const cgroup = findCgroupV2(own, mounts);
  if (cgroup === undefined) return [];
  const { folder, mount } = cgroup;
  return [folder, ...(folder === mount ? [] : [dirname(folder), mount])];
}

/** The first folder in which a new group has the limit's file and accepts a value. */
function baseFor(files: CgroupLimit, bases: readonly string[]): CgroupBase[] {
  const base = bases.find((each) => canEnforce(files, each));
  return base === undefined ? [] : [{ ...files, base }];
}

function canEnforce({ controller, set, hitCount }: CgroupLimit, base: string): boolean {
  const folder = join(base, `${PREFIX}${process.pid}-trial`);
  try {
    enable(base, controller);
    mkdirSync(folder);
    set(folder, 1);
    hitCount(folder);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  } finally {
    tryRemove(folder);
  }
}

/** In the unified hierarchy a group has a controller only if its parent delegates it. */
function enable(base: string, controller: string): void {
  const file = join(base, 'cgroup.subtree_control');
  if (!existsSync(file) || readFileSync(file, 'utf8').split(/\s+/).includes(controller)) return;
  writeFileSync(file, `+${controller}`);
}

function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

/** The kernel's error codes: not found, not permitted, busy, wrong controller. */
function isKernelError(error: unknown): boolean {
  return error instanceof Error && 'errno' in error;
}
