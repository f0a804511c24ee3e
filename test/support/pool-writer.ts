import { join } from 'node:path';
import { openSqlite } from '../../src/adapters/sqlite/open.ts';
import { createClock } from '../../src/adapters/system/clock.ts';
import { loadBoard } from '../../src/board/load-board.ts';
import { Writer } from '../../src/board/writer.ts';
import { Board } from '../../src/domain/board.ts';
import { decide } from '../../src/domain/decision.ts';
import type { HallEvent } from '../../src/domain/event.ts';
import { DEFAULT_INSTANCE_SETTINGS, type InstanceSettings } from '../../src/domain/pool.ts';

type Members = Readonly<Record<string, Partial<InstanceSettings> & { readonly type: string }>>;

/** Sets instances in the pool of a hall that is not running. */
export async function setInstances(data: string, members: Members): Promise<void> {
  const store = await openSqlite({ path: join(data, 'hall.db'), checkUpTo: 0 });
  const board = new Board();
  const { head } = await loadBoard(store, board);
  const writer = new Writer({
    ...{ store, board, head, clock: createClock(), epoch: 0 },
    isAssured: () => true,
    savedHeartbeats: () => [],
    committed: () => undefined,
    lost: (fault) => {
      throw fault;
    },
  });
  await writer.change({
    meta: { actor: 'test', cause: 'test' },
    decide: (_, { at }) => decide(true, instanceEvents(members, at)),
  });
  await store.close();
}

/** The events that set instances. */
export function instanceEvents(members: Members, at: number): readonly HallEvent[] {
  return Object.entries(members).map(([name, { type, ...settings }]) => ({
    type: 'InstanceSet',
    instance: {
      name,
      type,
      settings: { ...DEFAULT_INSTANCE_SETTINGS, parallel: 0, ...settings },
      paused: null,
      addedAt: at,
      changedAt: at,
    },
  }));
}
