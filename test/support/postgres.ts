import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, closeSync, openSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { dismiss, watchOver } from './end-with-parent.ts';
import { freePort } from './free-port.ts';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts';
import { openTempFolder } from './temp-folder.ts';

/** A temporary PostgreSQL with its own data folder, which ends with the process that started it. */
export interface PostgresServer {
  /** Connects as the superuser; suites make their own databases. */
  readonly url: string;
  readonly dataDir: string;
  /** The process of the server; another one after a restart. */
  readonly pid: number;
  /** Stops the server and starts it again on the same port with the same data. */
  restart(mode: StopMode): Promise<void>;
  stop(): Promise<void>;
}

/** `fast` ends sessions, `immediate` skips the last checkpoint, `crash` kills the process. */
export type StopMode = 'fast' | 'immediate' | 'crash';

interface Place {
  readonly folder: string;
  readonly bin: string;
  readonly dataDir: string;
  readonly port: number;
  readonly account: { uid?: number; gid?: number };
}

const SIGNAL = { fast: 'SIGINT', immediate: 'SIGQUIT', crash: 'SIGKILL' } as const;

/** nobody: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65534;

const START_TIMEOUT = 120_000;

const NOWHERE = 'no PostgreSQL is installed, and none can be downloaded for this platform';

const run = promisify(execFile);

/** The server of the test run, for suites that share one. */
export function sharedPostgres(): string | undefined {
  return process.env['GUILDHALL_TEST_POSTGRES'];
}

/** Starts the first of the given servers that can be started here. */
export async function startPostgres(
  candidates: readonly PostgresBinaries[] = findPostgres(),
): Promise<PostgresServer | { missing: string }> {
  const reasons: string[] = [];
  for (const binaries of candidates) {
    const folder = openTempFolder('guildhall-postgres-');
    const watcher = watchOver(folder, END_SERVER);
    try {
      return await startIn(folder, binaries, watcher);
    } catch (error) {
      reasons.push(`${binaries.from}: ${error instanceof Error ? error.message : error}`);
      await dismiss(watcher);
    }
  }
  return { missing: reasons.join('; ') || NOWHERE };
}

async function startIn(
  folder: string,
  binaries: PostgresBinaries,
  watcher: ChildProcess,
): Promise<PostgresServer> {
  const place = await createCluster(binaries, folder);
  let server = await startServer(place);

  return {
    url: urlOf(place),
    dataDir: place.dataDir,
    get pid() {
      return pidOf(server);
    },
    async restart(mode) {
      await end(server, mode);
      server = await startServer(place);
    },
    async stop() {
      await end(server, 'fast');
      await dismiss(watcher);
    },
  };
}

/** A database for one suite on a server that it may share with others. */
export async function createDatabase(
  serverUrl: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `suite_${randomBytes(8).toString('hex')}`;
  await query(serverUrl, `CREATE DATABASE ${name}`);

  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

const END_SERVER = `
pid=$(head -n 1 data/postmaster.pid 2>/dev/null)
if [ -n "$pid" ]; then
  kill -QUIT "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
fi`;

async function createCluster(binaries: PostgresBinaries, folder: string): Promise<Place> {
  const account = isRoot() ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const dataDir = join(folder, 'data');
  const bin = await binaries.place(folder);
  await mkdir(dataDir, { mode: 0o700 });
  if (account.uid) chownSync(dataDir, account.uid, account.gid);

  const trust = ['--auth-host=trust', '--auth-local=reject'];
  const plain = ['--no-locale', '--encoding=UTF8', '--no-sync', '--username=postgres'];
  await run(join(bin, 'initdb'), ['-D', dataDir, ...plain, ...trust], { ...account, cwd: folder });

  const port = await freePort();
  await appendFile(join(dataDir, 'postgresql.conf'), settings(port));
  return { folder, bin, dataDir, port, account };
}

function settings(port: number): string {
  return `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
max_connections = 200
fsync = on
`;
}

async function startServer(place: Place): Promise<ChildProcess> {
  const until = performance.now() + START_TIMEOUT;
  for (;;) {
    const server = spawnServer(place);
    if (await answers(place, server, until)) return server;
    if (performance.now() > until) throw new Error(await failure(place));
    // After a crash the old server's sessions hold its shared memory for a moment longer.
    await wait(100);
  }
}

function spawnServer({ bin, dataDir, folder, account }: Place): ChildProcess {
  const log = openSync(join(folder, 'server.log'), 'a');
  const server = spawn(join(bin, 'postgres'), ['-D', dataDir], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  server.unref();
  return server;
}

async function answers(place: Place, server: ChildProcess, until: number): Promise<boolean> {
  while (isRunning(server) && performance.now() < until) {
    try {
      await query(urlOf(place), 'SELECT 1');
      return isRunning(server);
    } catch {
      await wait(25);
    }
  }
  return false;
}

async function end(server: ChildProcess, mode: StopMode): Promise<void> {
  if (!isRunning(server)) return;
  server.ref();
  const ended = once(server, 'exit');
  server.kill(SIGNAL[mode]);
  await ended;
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function failure({ folder }: Place): Promise<string> {
  const log = await readFile(join(folder, 'server.log'), 'utf8');
  return `PostgreSQL did not answer within ${START_TIMEOUT} ms: ${log.trim().split('\n').slice(-3).join(' | ')}`;
}

function urlOf({ port }: Place): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

function pidOf(server: ChildProcess): number {
  if (server.pid === undefined) throw new Error('the server has no process');
  return server.pid;
}

function isRunning(server: ChildProcess): boolean {
  return server.exitCode === null && server.signalCode === null;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
