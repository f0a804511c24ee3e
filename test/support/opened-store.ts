import assert from 'node:assert/strict';
import type { Recorded } from '../../src/domain/event.ts';
import type { TaskId } from '../../src/domain/ids.ts';
import type { Page, Store } from '../../src/ports/store.ts';
import type { OpenedStore, OpenStore } from '../contracts/store.contract.ts';
import { History } from './history.ts';

interface Written extends AsyncDisposable {
  store: Store;
  readonly history: History;
  reopen(): Promise<void>;
}

/** An empty store with the history to be written into it. */
export async function opened(open: OpenStore): Promise<Written> {
  let now: OpenedStore = await open();
  const written: Written = {
    store: now.store,
    history: new History(now.epoch),
    async reopen() {
      now = await now.reopen();
      written.store = now.store;
    },
    [Symbol.asyncDispose]: () => now.close(),
  };
  return written;
}

/** Everything that can be read from a store, to see whether anything changed. */
export async function everythingIn(store: Store): Promise<unknown> {
  return {
    head: await store.head(),
    sealed: await store.sealed(0, 10_000),
    savedHeartbeats: await store.heartbeats(),
    secrets: await store.secrets(),
    dump: await dumpOf(store),
  };
}

export async function dumpOf(store: Pick<Store, 'dump'>) {
  const lines: (readonly [table: string, key: string, value: string])[] = [];
  for await (const line of store.dump()) lines.push(line);
  return lines;
}

/** Puts all tasks into the search index, as they are now. */
export async function indexAll(store: Store): Promise<void> {
  const { seq: to } = await store.head();
  const from = await store.indexedTo();
  const tasks: TaskId[] = [];
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page: Page<Recorded> = await store.events({
      after,
      types: ['TaskPosted'],
      limit: 10_000,
    });
    tasks.push(...page.rows.map(({ seq }) => seq as TaskId));
    after = page.next;
  }
  assert.equal(await store.index({ from, to, tasks, threads: [] }), true);
}

/** All pages of a query, one after the other. */
export async function allPages<T>(
  ask: (from: number | undefined) => Promise<Page<T>>,
): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  let from: number | undefined;
  do {
    const page = await ask(from);
    pages.push(page.rows);
    from = page.next;
  } while (from !== undefined);
  return pages;
}

export function numbersOf(events: readonly Recorded[]): readonly number[] {
  return events.map(({ seq }) => seq);
}
