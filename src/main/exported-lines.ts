import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The lines of an exported log; `-` is the standard input. */
export function exportedLines(file: string): AsyncIterable<string> {
  const input = file === '-' ? process.stdin : createReadStream(file, 'utf8');
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}
