import { storeContract } from '../../../test/contracts/store.contract.ts';
import { createMemoryDisk, createMemoryStore } from './store.ts';

storeContract('memory', async () => {
  const disk = createMemoryDisk();
  const open = async () => ({
    store: createMemoryStore(disk),
    epoch: 0,
    reopen: open,
    close: async () => undefined,
  });
  return open();
});
