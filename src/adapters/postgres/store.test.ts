import { test } from 'node:test';
import { type OpenedStore, storeContract } from '../../../test/contracts/store.contract.ts';
import { NodesOnPostgres, serverForFile } from '../../../test/support/postgres-nodes.ts';

const server = await serverForFile();

if ('missing' in server) {
  test(
    'the store on PostgreSQL fulfils the store contract',
    { skip: server.missing },
    () => undefined,
  );
} else {
  const { url } = server;
  storeContract('PostgreSQL', async () => reopenable(await NodesOnPostgres.on(url)));
}

/** The store of a node that leads. */
async function reopenable(nodes: NodesOnPostgres): Promise<OpenedStore> {
  const { store, leadership } = await nodes.open();
  const seen = await leadership.look();
  if (seen.epoch === 0) await leadership.takeOver(seen, 'http://leader');
  return {
    store,
    epoch: 1,
    async reopen() {
      await store.close();
      return reopenable(nodes);
    },
    close: () => nodes[Symbol.asyncDispose](),
  };
}
