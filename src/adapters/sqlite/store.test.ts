import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenedStore, storeContract } from '../../../test/contracts/store.contract.ts';
import { openSqlite } from './open.ts';

storeContract('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hall-'));
  const path = join(folder, 'hall.db');
  async function open(): Promise<OpenedStore> {
    const store = await openSqlite({ path, checkUpTo: 0 });
    return {
      store,
      epoch: 0,
      async reopen() {
        await store.close();
        return open();
      },
      async close() {
        await store.close();
        await rm(folder, { recursive: true });
      },
    };
  }
  return open();
});
