import type { Board } from '../../../src/domain/board.ts';
import { JournaledMap, JournaledSets } from '../../../src/domain/journaled-map.ts';

/**
 * What a board only remembers: who was served last begins anew with every start of the hall, and who
 * may take a route is worked out again when it is asked for.
 */
const REMEMBERED = ['lastServed'];

/** Whether two boards have the same rows and indexes. Compares every map of a board, including future ones. */
export function isSameBoard(a: Board, b: Board): boolean {
  if (a.seq !== b.seq || !isSame(a.hall, b.hall)) return false;
  for (const [name, rows] of Object.entries(a)) {
    if (REMEMBERED.includes(name)) continue;
    if (rows instanceof JournaledMap && !isSameKept(rows, Reflect.get(b, name))) return false;
    if (rows instanceof JournaledSets && !isSameSets(rows, Reflect.get(b, name))) return false;
  }
  return isSameReady(a, b) && isSame([...a.due], [...b.due]);
}

type Rows = JournaledMap<unknown, unknown>;

function isSameKept(a: Rows, b: Rows): boolean {
  if (a.size !== b.size) return false;
  for (const [key, row] of a.entries()) if (!isSame(row, b.get(key))) return false;
  return true;
}

/** Whatever order they were filled in. */
function isSameSets(
  a: JournaledSets<unknown, unknown>,
  b: JournaledSets<unknown, unknown>,
): boolean {
  if (a.size !== b.size) return false;
  for (const [key, members] of a.entries()) {
    const others = new Set(b.of(key));
    if (members.size !== others.size || ![...members].every((each) => others.has(each)))
      return false;
  }
  return true;
}

function isSameReady(a: Board, b: Board): boolean {
  const routes = new Map<number, unknown>();
  for (const [route, thread, task] of a.ready.all()) routes.set(task, [route, thread]);
  for (const [route, thread, task] of b.ready.all()) {
    if (!isSame(routes.get(task), [route, thread])) return false;
    routes.delete(task);
  }
  return routes.size === 0;
}

/** Plain values, compared by content. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!isSame(Reflect.get(a, key), Reflect.get(b, key))) return false;
  return true;
}
