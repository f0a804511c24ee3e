import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The lines of an exported log. Opens the file when the first line is requested, because a readline
 * interface loses lines that it reads before it has a consumer.
 */
export async function* exportedLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** Copies standard input to a temporary file, because an import reads it twice. */
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
