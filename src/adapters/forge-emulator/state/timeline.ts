import type { App, Caller, Issue, TimelineEntry } from './model.ts';
import { actorOf } from './rights.ts';
import type { World } from './world.ts';

type Facts<T> = T extends TimelineEntry ? Omit<T, 'id' | 'actor' | 'viaApp' | 'at'> : never;

/** Every change of an issue is remembered with who did it, and makes the issue newer. */
export function recordInTimeline(
  world: World,
  issue: Issue,
  { caller, entry, id }: { caller: Caller; entry: Facts<TimelineEntry>; id?: number },
): void {
  const at = world.now();
  const own = { id: id ?? world.nextId(idKind(world)), actor: actorOf(caller), at };
  issue.timeline.push({ ...own, viaApp: appOf(caller), ...entry });
  issue.updatedAt = at;
}

export function appOf(caller: Caller): App | null {
  return caller.is === 'installation' ? caller.installation.app : null;
}

function idKind({ rules }: World): string {
  return rules.timelineIds === 'comment' ? 'comment' : 'timeline';
}
