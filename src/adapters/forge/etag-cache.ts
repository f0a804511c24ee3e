import type { ForgeAnswer } from './client.ts';

interface Cached {
  readonly etag: string;
  readonly answer: ForgeAnswer;
}

const MAX_ENTRIES = 500;

/** The last answers, so that asking again costs nothing where the forge supports conditional requests. */
export class EtagCache {
  readonly #entries = new Map<string, Cached>();

  get(path: string): Cached | undefined {
    const entry = this.#entries.get(path);
    if (entry) {
      this.#entries.delete(path);
      this.#entries.set(path, entry);
    }
    return entry;
  }

  put(path: string, entry: Cached): void {
    this.#entries.delete(path);
    this.#entries.set(path, entry);
    if (this.#entries.size <= MAX_ENTRIES) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
