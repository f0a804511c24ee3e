import { after } from 'node:test';
import pg from 'pg';
import { openPostgres, type Postgres } from '../../src/adapters/postgres/open.ts';
import type { Timeouts } from '../../src/adapters/postgres/settings.ts';
import { createClock } from '../../src/adapters/system/clock.ts';
import type { Log } from '../../src/ports/log.ts';
import { createDatabase, type PostgresServer, sharedPostgres, startPostgres } from './postgres.ts';

/** A server for the tests of one file: that of the test run (GUILDHALL_TEST_POSTGRES), or its own. */
export async function serverForFile(): Promise<{ readonly url: string } | { missing: string }> {
  const url = sharedPostgres();
  return url === undefined ? ownServerForFile() : { url };
}

/** A server that the tests of one file may restart and configure. */
export async function ownServerForFile(): Promise<PostgresServer | { missing: string }> {
  const server = await startPostgres();
  if (!('missing' in server)) after(() => server.stop());
  return server;
}

/** A database and the nodes that share it, removed at the end of the test. */
export class NodesOnPostgres implements AsyncDisposable {
  readonly url: string;
  readonly #drop: () => Promise<void>;
  readonly #open: Postgres[] = [];
  /** The clock's timers do not keep a process alive; a test that waits for one must. */
  readonly #awake = setInterval(() => undefined, 1_000);

  private constructor({ url, drop }: { url: string; drop: () => Promise<void> }) {
    this.url = url;
    this.#drop = drop;
  }

  static async on(serverUrl: string): Promise<NodesOnPostgres> {
    return new NodesOnPostgres(await createDatabase(serverUrl));
  }

  async open(options: NodeOptions = {}): Promise<Postgres> {
    const node = await openPostgres({
      url: this.url,
      clock: createClock(),
      random: Math.random,
      log: options.log ?? SILENT,
      readers: 2,
      ...options,
    });
    this.#open.push(node);
    return node;
  }

  /** Queries the database directly, as its superuser. */
  async ask(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly (readonly unknown[])[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      const { rows } = await client.query<unknown[]>({
        text: sql,
        values: [...values],
        rowMode: 'array',
      });
      return rows;
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await Promise.all(this.#open.map(({ store }) => store.close()));
      await this.#drop();
    } finally {
      clearInterval(this.#awake);
    }
  }
}

interface NodeOptions {
  /** Another path to the same database. */
  readonly url?: string;
  readonly timeouts?: Partial<Timeouts>;
  readonly accept?: boolean;
  readonly log?: Log;
}

const SILENT: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
