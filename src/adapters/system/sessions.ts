import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Sessions, StoredSession } from '../../ports/sessions.ts';
import { writeDurably } from '../files/write-durably.ts';

/** One compressed file per conversation, named by a hash: keys contain text that people typed. */
export function openSessions(folder: string): Sessions {
  const pathOf = (key: string) => join(folder, nameOf(key));

  return {
    async get(key) {
      const packed = await ifExists(readFile(pathOf(key)));
      return packed && parsed(packed);
    },

    async put(key, session) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(pathOf(key), gzipSync(JSON.stringify(session)));
    },

    async sweep({ before, now, open }) {
      const names = (await ifExists(readdir(folder))) ?? [];
      const closed = await namesWithout(names, open);
      for (const name of names) {
        const path = join(folder, name);
        const found = await ifExists(stat(path));
        // A file written since may belong to a thread that has just been opened.
        const until = closed.has(name) ? now : before;
        if (found && found.mtimeMs < until) await rm(path, { force: true });
      }
    },
  };
}

function nameOf(key: string): string {
  return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json.gz`;
}

/** A board may have a hundred thousand open threads, so yield to other work meanwhile. */
async function namesWithout(
  names: readonly string[],
  keys: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const remaining = new Set(names);
  let count = 0;
  if (remaining.size === 0) return remaining;
  for (const key of keys) {
    remaining.delete(nameOf(key));
    count += 1;
    if (count % YIELD_EVERY === 0) await setImmediate();
  }
  return remaining;
}

const YIELD_EVERY = 500;

/** A file truncated by a full disk or edited by hand cannot be resumed. */
function parsed(packed: Buffer): StoredSession | null {
  try {
    const { id, history } = JSON.parse(gunzipSync(packed).toString());
    return typeof id === 'string' && typeof history === 'string' ? { id, history } : null;
  } catch {
    return null;
  }
}

async function ifExists<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
