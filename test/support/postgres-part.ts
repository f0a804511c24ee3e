import type { TestContext } from 'node:test';
import { createDatabase, startPostgres } from './postgres.ts';

/** Runs with a database of its own on a real PostgreSQL, or says plainly why it was not run. */
export async function withPostgres(
  t: TestContext,
  act: (url: string) => Promise<void>,
): Promise<void> {
  const given = process.env['GUILDHALL_TEST_POSTGRES'];
  const server = given ? { url: given, stop: async () => undefined } : await startPostgres();
  if ('missing' in server) {
    t.skip(`no PostgreSQL: ${server.missing}`);
    return;
  }
  const database = await createDatabase(server.url);
  try {
    await act(database.url);
  } finally {
    await database.drop();
    await server.stop();
  }
}
