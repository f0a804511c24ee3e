import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { EXIT_CODES } from '../exit.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ProcessContext } from '../process-context.ts';

type Terminal = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** More than a key of any kind has. */
const MOST_BYTES = 64 * 1024;

/**
 * A value from standard input, without its last line break. At a terminal it is typed or pasted and not shown.
 * Never from an argument, which other accounts see in the list of processes and the shell keeps in its history.
 */
export async function readSecret(
  { stdin, stderr, exit }: Pick<ProcessContext, 'stdin' | 'stderr' | 'exit'>,
  prompt: string,
): Promise<string> {
  const input: Terminal = stdin();
  const bytes = input.isTTY ? await typed(input, { stderr, exit, prompt }) : await buffer(input);
  if (bytes.length > MOST_BYTES) throw new InvalidUsage('the value is too long for a secret');
  const value = textIn(bytes).replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw new InvalidUsage('there is no value: type it, or pass it on standard input');
}

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidUsage('the value is not text in UTF-8', { cause });
  }
}

const ENTER = /[\r\n]/;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const DELETE = /[\b\u007f]/;
/** A private key has several lines. */
const UNFINISHED = /^-----BEGIN (?!.*-----END [A-Z ]+-----)/s;

/** In raw mode nothing is echoed, and the keys that a terminal handles itself have to be handled here. */
async function typed(
  input: Terminal,
  { stderr, exit, prompt }: Pick<ProcessContext, 'stderr' | 'exit'> & { readonly prompt: string },
): Promise<Uint8Array> {
  stderr.write(prompt);
  input.setRawMode?.(true);
  let value = '';
  try {
    for await (const chunk of input.setEncoding('utf8')) {
      for (const key of String(chunk)) {
        if (key === CTRL_C) {
          input.setRawMode?.(false);
          exit(EXIT_CODES.interrupted);
          throw new InvalidUsage('interrupted; nothing was stored');
        }
        const isLine = ENTER.test(key);
        if (key === CTRL_D || (isLine && !UNFINISHED.test(value))) return Buffer.from(value);
        if (DELETE.test(key)) value = value.slice(0, -1);
        else value += isLine ? '\n' : key;
      }
    }
    return Buffer.from(value);
  } finally {
    input.setRawMode?.(false);
    stderr.write('\n');
  }
}
