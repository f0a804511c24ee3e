import type { TaskId } from '../../src/domain/ids.ts';
import type { Store } from '../../src/ports/store.ts';

const AT_ONCE = 1_000;

/** Fills the search index, so that the hall does not do it while it is measured. */
export async function fillIndex(
  store: Pick<Store, 'head' | 'events' | 'index' | 'indexedTo'>,
): Promise<void> {
  const { seq: end } = await store.head();
  for (let from = await store.indexedTo(); from < end; from = await store.indexedTo()) {
    const page = await store.events({ after: from, types: ['TaskPosted'], limit: AT_ONCE });
    const tasks = page.rows.map(({ seq }) => seq as TaskId);
    await store.index({ from, to: page.next ?? end, tasks, threads: [] });
  }
}
