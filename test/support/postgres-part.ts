import type { TestContext } from 'node:test';
import { createDatabase, startPostgres } from './postgres.ts';

/** Runs with its own database on a real PostgreSQL, or skips the test with the reason. */
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
