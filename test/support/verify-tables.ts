import { compareDumps, type FreshTables, rebuild } from '../../src/adapters/sql/rebuild.ts';
import type { Reads } from '../../src/ports/store.ts';

/** Compares what a store's tables hold with the fold of its events. */
export async function verifyTables(
  store: Pick<Reads, 'sealed' | 'dump' | 'foldedTo'>,
  tables: FreshTables,
  most = 10,
): Promise<readonly string[]> {
  const { fault } = await rebuild(store, tables, await store.foldedTo());
  return fault ? [fault] : compareDumps(store.dump(), tables.dump(), most);
}
