import { existsSync, readFileSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import { CGROUP_V1, CGROUP_V2 } from '../cell/cgroup-limits.ts';
import { findCgroupV1, findCgroupV2 } from '../cell/cgroup-paths.ts';
import { readIfExists } from '../cell/processes.ts';

/** Reports which limit a container exceeded. */
export type ExceededLimit = () => keyof Limits | null;

/**
 * The runtime creates the control groups; we find them by the first process and read them while they
 * exist. Undefined when the first process is gone.
 */
export function watchCgroups(initPid: number, limits: Limits): ExceededLimit | undefined {
  const groups = readIfExists(`/proc/${initPid}/cgroup`);
  if (groups === undefined) return undefined;
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const v1 = CGROUP_V1.flatMap((files) => {
    const cgroup = findCgroupV1(files.controller, groups, mounts);
    return cgroup === undefined ? [] : [{ ...files, folder: cgroup.folder }];
  });
  const v2 = CGROUP_V2.filter(({ limit }) => !v1.some((cgroup) => cgroup.limit === limit)).map(
    (files) => ({ ...files, folder: findCgroupV2(groups, mounts)?.folder ?? '' }),
  );
  const watched = [...v1, ...v2].filter(({ limit, folder }) => {
    return limits[limit] !== null && existsSync(folder);
  });
  return () => watched.find((cgroup) => isExceeded(cgroup))?.limit ?? null;
}

/** A group disappears with its container. */
function isExceeded({
  hitCount,
  folder,
}: {
  hitCount(folder: string): number;
  folder: string;
}): boolean {
  try {
    return hitCount(folder) > 0;
  } catch (error) {
    if (error instanceof Error && 'errno' in error) return false;
    throw error;
  }
}
