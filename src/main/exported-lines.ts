import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The lines of an exported log. Reading begins with the first line that is asked for: an interface that
 * waits for its reader loses what it reads meanwhile.
 */
export async function* exportedLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** Holds the standard input as a file meanwhile, because an export is read twice. */
export async function withInput<T>(stdin: Readable, act: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-import-'));
  try {
    const file = join(folder, 'input');
    await pipeline(stdin, createWriteStream(file, { mode: 0o600 }));
    return await act(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
