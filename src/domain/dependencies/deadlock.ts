import type { Board } from '../board.ts';
import type { ThreadId } from '../ids.ts';
import { dependentsOf } from './cycle.ts';
import type { Dependency } from './look-up.ts';

interface Needs {
  readonly board: Board;
  /** The thread on the board that a dependency names. */
  readonly idOf: (on: Dependency) => ThreadId | undefined;
  readonly postings: readonly { readonly dependsOn: readonly Dependency[] }[];
  /** The position in the post of each task that has a name. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * Whether a child would wait for something that is done only after its parent, and so after itself,
 * through threads on the board or other tasks of the same post. Results are cached: a post of a
 * thousand tasks can have a hundred thousand dependencies.
 */
export function createDeadlockCheck(needs: Needs): (parent: ThreadId, on: Dependency) => boolean {
  const checks = new Map<ThreadId, (on: Dependency) => boolean>();
  return (parent, on) => {
    const check = checks.get(parent) ?? checkUnder(parent, needs);
    checks.set(parent, check);
    return check(on);
  };
}

function checkUnder(
  parent: ThreadId,
  { board, idOf, postings, places }: Needs,
): (on: Dependency) => boolean {
  const later = dependentsOf(board, parent);
  const known = new Map<number, boolean>();

  function isDeadlock(on: Dependency): boolean {
    const place = 'ref' in on ? places.get(on.ref) : undefined;
    if (place !== undefined) return isDeadlockAt(place);
    const id = idOf(on);
    return id !== undefined && later.has(id);
  }

  function isDeadlockAt(place: number): boolean {
    const before = known.get(place);
    if (before !== undefined) return before;
    known.set(place, false);
    const deadlocks = (postings[place]?.dependsOn ?? []).some(isDeadlock);
    known.set(place, deadlocks);
    return deadlocks;
  }

  return isDeadlock;
}
