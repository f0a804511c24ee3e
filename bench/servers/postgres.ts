import pg from 'pg';
import { createDatabase, type PostgresServer, startPostgres } from '../../test/support/postgres.ts';

/** The server that the peers and our own PostgreSQL store share, one database each. */
export interface SharedPostgres {
  readonly pid: number;
  readonly settings: Readonly<Record<string, string>>;
  database(): Promise<{ readonly url: string; drop(): Promise<void> }>;
  stop(): Promise<void>;
}

/**
 * More memory and fewer checkpoints than the defaults, so that the peers are not held back by settings that no
 * one uses in production. The settings for durability stay on.
 */
const TUNING = {
  shared_buffers: '512MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
};

const SHOWN = [
  'server_version',
  'fsync',
  'synchronous_commit',
  'wal_sync_method',
  'full_page_writes',
  'wal_level',
  ...Object.keys(TUNING),
];

export async function startSharedPostgres(): Promise<
  SharedPostgres | { readonly missing: string }
> {
  const server = await startPostgres();
  if ('missing' in server) return server;
  const settings = await tune(server);
  return {
    get pid() {
      return server.pid;
    },
    settings,
    database: () => createDatabase(server.url),
    stop: () => server.stop(),
  };
}

async function tune(server: PostgresServer): Promise<Record<string, string>> {
  await withClient(server.url, async (client) => {
    for (const [name, value] of Object.entries(TUNING)) {
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    }
  });
  await server.restart('fast');
  const shown: Record<string, string> = {};
  await withClient(server.url, async (client) => {
    for (const name of SHOWN) {
      const { rows } = await client.query<Record<string, string>>(`SHOW ${name}`);
      shown[name] = Object.values(rows[0] ?? {})[0] ?? '';
    }
  });
  const loose = ['fsync', 'synchronous_commit', 'full_page_writes'].filter(
    (n) => shown[n] !== 'on',
  );
  if (loose.length > 0) throw new Error(`PostgreSQL runs with ${loose.join(', ')} off`);
  return shown;
}

async function withClient(url: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
