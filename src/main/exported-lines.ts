import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * The lines of an exported log; `-` is the standard input. Reading begins with the first line that is
 * asked for: an interface that waits for its reader loses what it reads meanwhile.
 */
export async function* exportedLines(file: string): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin : createReadStream(file, 'utf8');
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}
