import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/**
 * The lines of an exported log. Reading begins with the first line that is asked for: an interface that
 * waits for its reader loses what it reads meanwhile.
 */
export async function* exportedLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

export interface HeldInput extends AsyncDisposable {
  readonly file: string;
}

/** The standard input as a file, because an export is read twice. */
export async function holdInput(): Promise<HeldInput> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-import-'));
  const file = join(folder, 'input');
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { file, [Symbol.asyncDispose]: dispose };
}
