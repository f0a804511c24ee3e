import { secretSpellings } from '../domain/redaction.ts';
import type { TranscriptEntry } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';

interface Needs {
  readonly clock: Clock;
  /** Sends pieces to the hall, in order. */
  send(entries: readonly string[]): Promise<void>;
  /** Values to redact. */
  readonly secrets: readonly string[];
}

const WAIT = 300;
const MAX_AT_ONCE = 200;
const MAX_WAITING = 5_000;
/** A character may take six bytes in transit, and a single piece must fit into a request. */
const MAX_CHARACTERS = 150_000;
/** The hall refuses a request of a megabyte as a whole. */
const MAX_BYTES = 900_000;

/**
 * Sends a run's transcript to the board while it runs, in batches, one after another. An agent that
 * writes faster than the hall can store loses pieces, never their order.
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

  async flush(): Promise<void> {
    this.#timer?.cancel();
    this.#pass();
    await this.#sending;
  }

  #pass(): void {
    this.#timer = undefined;
    if (this.#dropped > 0) {
      this.#waiting.push(`hall: ${this.#dropped} entries came too fast and were dropped`);
      this.#dropped = 0;
    }
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, fitting(this.#waiting));
      // A failure loses only transcript entries; the run's own calls will find its cause.
      this.#sending = this.#sending.then(() => this.#needs.send(batch)).catch(() => undefined);
    }
  }

  #clean(text: string): string {
    const safe = secretSpellings(this.#needs.secrets).reduce(
      (redacted, secret) => redacted.replaceAll(secret, '[secret]'),
      text,
    );
    return safe.length > MAX_CHARACTERS ? `${safe.slice(0, MAX_CHARACTERS)} [cut]` : safe;
  }
}

/** How many leading pieces fit into one request; at least one. */
function fitting(pieces: readonly string[]): number {
  let bytes = 0;
  for (const [n, piece] of pieces.slice(0, MAX_AT_ONCE).entries()) {
    bytes += encoder.encode(JSON.stringify(piece)).length;
    if (bytes > MAX_BYTES) return Math.max(n, 1);
  }
  return Math.min(pieces.length, MAX_AT_ONCE);
}

const encoder = new TextEncoder();
