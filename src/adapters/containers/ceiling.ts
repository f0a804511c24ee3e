import { existsSync, readFileSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import { HIERARCHY_EACH, ONE_HIERARCHY } from '../cell/group-files.ts';
import { groupInEach, groupInOne } from '../cell/group-places.ts';
import { readIfThere } from '../cell/processes.ts';

/** Tells which limit a container met. */
export type Ceiling = () => keyof Limits | null;

/**
 * The runtime made the control groups; they are found by the first process and read while they are there. Undefined
 * when the first process is gone.
 */
export function ceilingOver(first: number, limits: Limits): Ceiling | undefined {
  const groups = readIfThere(`/proc/${first}/cgroup`);
  if (groups === undefined) return undefined;
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const each = HIERARCHY_EACH.flatMap((files) => {
    const place = groupInEach(files.controller, groups, mounts);
    return place === undefined ? [] : [{ ...files, folder: place.folder }];
  });
  const one = ONE_HIERARCHY.filter(({ limit }) => !each.some((place) => place.limit === limit)).map(
    (files) => ({ ...files, folder: groupInOne(groups, mounts)?.folder ?? '' }),
  );
  const watched = [...each, ...one].filter(({ limit, folder }) => {
    return limits[limit] !== null && existsSync(folder);
  });
  return () => watched.find((place) => isMet(place))?.limit ?? null;
}

/** A group is gone with its container. */
function isMet({ met, folder }: { met(folder: string): number; folder: string }): boolean {
  try {
    return met(folder) > 0;
  } catch (error) {
    if (error instanceof Error && 'errno' in error) return false;
    throw error;
  }
}
