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
import { type GroupFiles, HIERARCHY_EACH, ONE_HIERARCHY } from '../cell/group-files.ts';
import { groupInEach, groupInOne } from '../cell/group-places.ts';
import type { Ceiling, Ceilings } from './ceilings.ts';

/** A limit with the folder under which groups for it can be made. */
interface Place extends GroupFiles {
  readonly base: string;
}

/** Control groups of the kernel, for the limits that this process may make groups for. */
export function findControlGroups(): Ceilings {
  const places = findPlaces();
  for (const base of new Set(places.map((place) => place.base))) sweep(base);
  let made = 0;
  return {
    holds: places.map(({ limit }) => limit),
    gaps: [],
    raise({ limits }) {
      made += 1;
      return makeGroups(places, limits, `${PREFIX}${process.pid}-${made}`);
    },
  };
}

const PREFIX = 'guildhall-';

function makeGroups(places: readonly Place[], limits: Limits, name: string): Ceiling {
  const wanted = places.flatMap((place) => {
    const value = limits[place.limit];
    return value === null ? [] : [{ ...place, value, folder: join(place.base, name) }];
  });
  const folders = [...new Set(wanted.map(({ folder }) => folder))];
  for (const folder of folders) mkdirSync(folder);
  for (const { set, folder, value } of wanted) set(folder, value);
  return {
    groups: folders.map((folder) => join(folder, 'cgroup.procs')),
    inside: [],
    met: () => wanted.find(({ met, folder }) => met(folder) > 0)?.limit ?? null,
    async release() {
      for (const folder of folders) await remove(folder);
    },
  };
}

/** A process that has just died holds its group for a moment, which is longer on a busy machine. */
async function remove(folder: string): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (existsSync(folder) && !isRemoved(folder)) {
    if (performance.now() > deadline) throw new Error(`the control group ${folder} is in use`);
    await sleep(4);
  }
}

const PATIENCE = 60_000;

/** Groups of workers that were killed are empty by now, since their cells died with them. */
function sweep(base: string): void {
  for (const name of readdirSync(base).filter((each) => each.startsWith(PREFIX))) {
    const owner = name.slice(PREFIX.length).split('-')[0];
    if (!existsSync(`/proc/${owner}`)) isRemoved(join(base, name));
  }
}

function findPlaces(): Place[] {
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const separate = HIERARCHY_EACH.flatMap((files) => {
    return placeFor(files, basesInEach(files.controller, own, mounts));
  });
  const missing = ONE_HIERARCHY.filter(
    ({ limit }) => !separate.some((place) => place.limit === limit),
  );
  return [...separate, ...missing.flatMap((files) => placeFor(files, basesInOne(own, mounts)))];
}

function basesInEach(controller: string, own: string, mounts: string): string[] {
  const place = groupInEach(controller, own, mounts);
  return place === undefined ? [] : [place.folder, place.mount];
}

/**
 * A group that holds processes cannot hand out controllers to groups below it. So it is the group above
 * that of this process, as systemd makes it with DelegateSubgroup=, or the root, which is exempt.
 */
function basesInOne(own: string, mounts: string): string[] {
  const place = groupInOne(own, mounts);
  if (place === undefined) return [];
  const { folder, mount } = place;
  return [folder, ...(folder === mount ? [] : [dirname(folder), mount])];
}

/** The first folder in which a group has the file of the limit and takes a value. */
function placeFor(files: GroupFiles, bases: readonly string[]): Place[] {
  const base = bases.find((each) => canHold(files, each));
  return base === undefined ? [] : [{ ...files, base }];
}

function canHold({ controller, set, met }: GroupFiles, base: string): boolean {
  const folder = join(base, `${PREFIX}${process.pid}-trial`);
  try {
    enable(base, controller);
    mkdirSync(folder);
    set(folder, 1);
    met(folder);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  } finally {
    isRemoved(folder);
  }
}

/** In the one hierarchy a group below has a controller when its parent hands it out. */
function enable(base: string, controller: string): void {
  const file = join(base, 'cgroup.subtree_control');
  if (!existsSync(file) || readFileSync(file, 'utf8').split(/\s+/).includes(controller)) return;
  writeFileSync(file, `+${controller}`);
}

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Every answer of the kernel by number: not there, not allowed, in use, not this controller. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'errno' in error;
}
