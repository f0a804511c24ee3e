import type { TaskId } from '../../../src/domain/ids.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { LedgerTask } from './ledger.ts';

/** Checks, when nothing happens any more, that a search finds every task; returns the first violation. */
export async function searchFindsAll(
  store: Pick<Store, 'head' | 'indexedTo' | 'tasks'>,
  tasks: ReadonlyMap<TaskId, LedgerTask>,
): Promise<string | undefined> {
  const reached = await store.indexedTo();
  const { seq } = await store.head();
  if (reached !== seq) return `the search index reaches event ${reached} of ${seq}`;
  for (const { id, title } of tasks.values()) {
    const { rows } = await store.tasks({ text: title, limit: 1_000 });
    if (!rows.some(({ task }) => task.id === id)) return `no search finds task ${id}, "${title}"`;
  }
  return undefined;
}
