import type { Board } from '../../../src/domain/board.ts';
import { Kept } from '../../../src/domain/kept.ts';

/**
 * What a board only remembers: who was served last begins anew with every start of the hall, and who
 * may take a route is worked out again when it is asked for.
 */
const REMEMBERED = ['served'];

/** Whether two boards hold the same rows and indexes. Every map of a board is looked at, also a future one. */
export function isSameBoard(a: Board, b: Board): boolean {
  if (a.seq !== b.seq || !isSame(a.hall, b.hall)) return false;
  for (const [name, rows] of Object.entries(a)) {
    if (!(rows instanceof Kept) || REMEMBERED.includes(name)) continue;
    if (!isSameKept(rows, Reflect.get(b, name), name === 'dependents')) return false;
  }
  return isSameReady(a, b) && isSame([...a.due], [...b.due]);
}

type Rows = Kept<unknown, unknown>;

/** Who waits for a thread is a set, whatever order it was filled in. */
function isSameKept(a: Rows, b: Rows, isUnordered: boolean): boolean {
  if (a.size !== b.size) return false;
  for (const [key, row] of a.entries()) {
    const other = b.get(key);
    if (isUnordered ? !isSameSet(row as number[], other) : !isSame(row, other)) return false;
  }
  return true;
}

function isSameSet(a: readonly number[], b: unknown): boolean {
  return Array.isArray(b) && a.length === b.length && a.every((id) => b.includes(id));
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

/** Plain values, compared by what they hold. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!isSame(Reflect.get(a, key), Reflect.get(b, key))) return false;
  return true;
}
