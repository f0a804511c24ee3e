import { ForgeFailed } from '../../ports/forge.ts';

const TIMEOUT = 20_000;
const MAX_CHARACTERS = 20_000_000;

/** A text at an address that a forge gave and signed; the hall's own credential stays here. */
export async function download(name: string, url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    const text = await response.text();
    return response.ok ? text.slice(-MAX_CHARACTERS) : '';
  } catch (cause) {
    throw new ForgeFailed(`${name} gave an address that does not answer`, {
      retry: 'later',
      cause,
    });
  }
}
