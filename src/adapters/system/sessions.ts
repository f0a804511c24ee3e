import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { KeptSession, Sessions } from '../../ports/sessions.ts';

/** One packed file for each conversation, named by a hash: keys hold what people typed. */
export function openSessions(folder: string): Sessions {
  const pathOf = (key: string) =>
    join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json.gz`);

  return {
    async get(key) {
      const packed = await ifThere(readFile(pathOf(key)));
      return packed && parsed(packed);
    },

    /** Written beside and moved into place, so that a crash leaves the old one or the new one. */
    async put(key, session) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const beside = join(folder, `.${randomUUID()}`);
      await writeFile(beside, gzipSync(JSON.stringify(session)), { mode: 0o600 });
      await rename(beside, pathOf(key));
    },

    async sweep(before) {
      for (const name of (await ifThere(readdir(folder))) ?? []) {
        const path = join(folder, name);
        const found = await ifThere(stat(path));
        if (found && found.mtimeMs < before) await rm(path, { force: true });
      }
    },
  };
}

/** What was cut short by a full disk or changed by hand is no conversation to go on with. */
function parsed(packed: Buffer): KeptSession | null {
  try {
    const { id, history } = JSON.parse(gunzipSync(packed).toString());
    return typeof id === 'string' && typeof history === 'string' ? { id, history } : null;
  } catch {
    return null;
  }
}

async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
