import { createInterface } from 'node:readline';
import type { Cli } from '../command.ts';

/** The code that a person pastes, as it is or in the address that GitHub leads to. Waits until there is one. */
export async function pastedCode({ stdin, out }: Pick<Cli, 'stdin' | 'out'>, state: string) {
  const lines = createInterface({ input: stdin(), terminal: false });
  for await (const line of lines) {
    const found = codeIn(line.trim(), state);
    if (found.code !== undefined) return found.code;
    if (found.fault !== undefined) out.warn(found.fault);
  }
  // Without more input the page is the only way left.
  return new Promise<never>(() => undefined);
}

interface Pasted {
  readonly code?: string;
  readonly fault?: string;
}

export function codeIn(text: string, state: string): Pasted {
  if (text === '') return {};
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    return /^[\w-]+$/.test(text) ? { code: text } : { fault: 'this is no code and no address' };
  }
  const { searchParams } = new URL(text);
  const code = searchParams.get('code');
  if (code === null) return { fault: 'this address has no code in it' };
  if (searchParams.get('state') !== state) {
    return { fault: 'this address belongs to another attempt: start again at the page above' };
  }
  return { code };
}
