import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { until } from './hall-fixture.ts';
import type { PostgresServer } from './postgres.ts';

/** A server on a new timeline that ends where it was copied, like a standby that lagged behind. */
export interface PromotedCopy extends AsyncDisposable {
  readonly url: string;
}

const run = promisify(execFile);

/** Takes a backup of a running server, as the manual describes it for copying files, and promotes it. */
export async function promoteCopy(server: PostgresServer): Promise<PromotedCopy> {
  const port = await freePort();
  const folder = `${server.dataDir}-copy-${port}`;
  await copyFiles(server, folder);
  const { uid, gid } = await stat(server.dataDir);
  await appendFile(join(folder, 'postgresql.conf'), `port = ${port}\nrestore_command = 'false'\n`);
  await writeFile(join(folder, 'recovery.signal'), '');
  await run('chown', ['-R', `${uid}:${gid}`, folder]);

  const copy = spawn(await readlink(`/proc/${server.pid}/exe`), ['-D', folder], {
    uid,
    gid,
    cwd: folder,
    stdio: 'ignore',
  });
  const url = new URL(server.url);
  url.port = String(port);
  await untilPromoted(url.href);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      const ended = once(copy, 'exit');
      copy.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** The log is copied last: it has to reach to the end of the backup. */
async function copyFiles({ url, dataDir }: PostgresServer, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('copy', true)");
  await cp(dataDir, folder, {
    recursive: true,
    filter: (path) => !path.endsWith('postmaster.pid'),
  });
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
  await cp(join(dataDir, 'pg_wal'), join(folder, 'pg_wal'), { recursive: true, force: true });
  await writeFile(join(folder, 'backup_label'), rows[0].labelfile);
  await client.end();
}

async function untilPromoted(url: string): Promise<void> {
  await until('the copy is promoted', async () => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS recovers');
      return !rows[0].recovers;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  });
}
