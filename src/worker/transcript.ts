import type { TranscriptEntry } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';

interface Needs {
  readonly clock: Clock;
  /** Hands pieces to the hall, in order. */
  send(entries: readonly string[]): Promise<void>;
  /** Values that may not be written down. */
  readonly secrets: readonly string[];
}

const WAIT = 300;
const MAX_AT_ONCE = 200;
const MAX_WAITING = 5_000;
/** Each may take six bytes on its way, and a piece alone has to fit. */
const MAX_CHARACTERS = 150_000;
/** The hall refuses a request of a megabyte with all that is in it. */
const MAX_BYTES = 900_000;

/**
 * What a run says, on its way to the board while it runs. It is sent in batches, one after another; an
 * agent that talks faster than the hall can store loses pieces, never the order.
 */
export class Transcript {
  readonly #needs: Needs;
  readonly #waiting: string[] = [];
  #dropped = 0;
  #sending: Promise<void> = Promise.resolve();
  #timer: { cancel(): void } | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  append({ kind, text }: TranscriptEntry): void {
    if (text === '') return;
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(`${kind}: ${this.#clean(text)}`);
    this.#timer ??= this.#needs.clock.after(WAIT, () => this.#pass());
  }

  /** Sends what is left. */
  async flush(): Promise<void> {
    this.#timer?.cancel();
    this.#pass();
    await this.#sending;
  }

  #pass(): void {
    this.#timer = undefined;
    if (this.#dropped > 0) {
      this.#waiting.push(`hall: ${this.#dropped} pieces came too fast and were dropped`);
      this.#dropped = 0;
    }
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, fitting(this.#waiting));
      // What cannot be stored is lost for the transcript only: the run's own calls find out why.
      this.#sending = this.#sending.then(() => this.#needs.send(batch)).catch(() => undefined);
    }
  }

  #clean(text: string): string {
    const { secrets } = this.#needs;
    const safe = secrets.reduce((said, secret) => said.replaceAll(secret, '[secret]'), text);
    return safe.length > MAX_CHARACTERS ? `${safe.slice(0, MAX_CHARACTERS)} [cut]` : safe;
  }
}

/** How many of the first pieces the hall takes at once; one always. */
function fitting(pieces: readonly string[]): number {
  let bytes = 0;
  for (const [n, piece] of pieces.slice(0, MAX_AT_ONCE).entries()) {
    bytes += encoder.encode(JSON.stringify(piece)).length;
    if (bytes > MAX_BYTES) return Math.max(n, 1);
  }
  return Math.min(pieces.length, MAX_AT_ONCE);
}

const encoder = new TextEncoder();
