import type { Board } from '../board.ts';
import { nameOf, type ThreadId } from '../ids.ts';
import type { Dependency } from './look-up.ts';

/** The names of the threads that would wait for each other if `thread` waited for `after`. */
export function cycleThrough(board: Board, thread: ThreadId, after: ThreadId): string | undefined {
  const round = wayBack(board, thread, after);
  return round && chain(round.map((id) => nameOf('thread', id)));
}

/**
 * The path by which `after` already needs `thread`, through dependencies and children, or undefined
 * when there is none. If `thread` then waited for `after`, neither could ever be done.
 */
function wayBack(board: Board, thread: ThreadId, after: ThreadId): readonly ThreadId[] | undefined {
  const cameFrom = dependentsOf(board, thread);
  if (!cameFrom.has(after)) return undefined;
  const way: ThreadId[] = [];
  for (let id: ThreadId | null | undefined = after; id; id = cameFrom.get(id)) way.push(id);
  return way.reverse();
}

/** The thread and everything that needs it, each mapped to the thread it was found through. */
export function dependentsOf(
  board: Board,
  first: ThreadId,
): ReadonlyMap<ThreadId, ThreadId | null> {
  const cameFrom = new Map<ThreadId, ThreadId | null>([[first, null]]);
  const queue = [first];
  for (let last = queue.pop(); last !== undefined; last = queue.pop()) {
    const above = board.threads.get(last)?.parent;
    for (const next of [...board.dependents.of(last), ...(above ? [above] : [])]) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, last);
      queue.push(next);
    }
  }
  return cameFrom;
}

interface Named {
  /** The name that other tasks of the same post use for it. */
  readonly ref: string | null;
  readonly dependsOn: readonly Dependency[];
}

/** The first task of a post that waits for itself, and the tasks in between. */
export function cycleAmong(
  postings: readonly Named[],
): { readonly at: number; readonly names: string } | undefined {
  const byRef = new Map(postings.map((posting, at) => [posting.ref ?? '', { posting, at }]));
  const finished = new Set<string>();
  const above = new Set<string>();
  const walk = (ref: string): ReturnType<typeof cycleAmong> => {
    const here = byRef.get(ref);
    if (!here || ref === '' || finished.has(ref)) return undefined;
    if (above.has(ref)) {
      const way = [...above];
      return { at: here.at, names: chain([...way.slice(way.indexOf(ref)), ref]) };
    }
    above.add(ref);
    for (const dependency of here.posting.dependsOn) {
      const found = 'ref' in dependency ? walk(dependency.ref) : undefined;
      if (found) return found;
    }
    above.delete(ref);
    finished.add(ref);
    return undefined;
  };
  for (const ref of byRef.keys()) {
    const found = walk(ref);
    if (found) return found;
  }
  return undefined;
}

function chain(names: readonly string[]): string {
  return shortened(names).join(' → ');
}

const MAX_NAMED = 20;

/** Shortens a long cycle so a person can read it. */
function shortened(names: readonly string[]): readonly string[] {
  if (names.length <= MAX_NAMED) return names;
  const left = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED / 2), `… ${left} more …`, ...names.slice(-MAX_NAMED / 2)];
}
