import { join } from 'node:path';
import { createClock } from '../../src/adapters/system/clock.ts';
import type { HallSettings } from '../../src/config/config.ts';
import { type OpenStore, openStore } from '../../src/main/open-store.ts';
import type { History } from '../sizes.ts';
import { generate } from './generate.ts';

const NOTHING: History = { tasks: 0, open: 0, events: 0 };

/** Puts the pool on the board, and a history if requested, before the hall is started. */
export async function prepareStore(
  folder: string,
  store: string,
  history: History = NOTHING,
  progress?: (tasks: number) => void,
): Promise<void> {
  await withStore(folder, store, (opened) => generate(opened, history, progress));
}

/** The store of a stopped hall, through the product's own adapter. */
export async function withStore<T>(
  folder: string,
  store: string,
  act: (opened: OpenStore) => Promise<T>,
): Promise<T> {
  const quiet = { info: nothing, warn: nothing, error: nothing };
  const opened = await openStore(
    { data: join(folder, 'data'), store: storeSettings(store) },
    { clock: createClock(), log: quiet },
  );
  try {
    return await act(opened);
  } finally {
    await opened.store.close();
  }
}

export function storeSettings(store: string): HallSettings['store'] {
  return store === 'sqlite' ? { kind: 'sqlite' } : { kind: 'postgres', url: store };
}

function nothing(): void {
  return;
}
