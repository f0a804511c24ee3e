import { createHash } from 'node:crypto';
import type { ForgeClient } from './client.ts';

interface Watched {
  /** The hash of the last answer of each list. */
  readonly answers: Map<string, string>;
  /** Which list is asked next. */
  turn: number;
}

const MAX_COMMITS = 5_000;

/**
 * Tells by one call whether the checks of a commit may have changed. A forge with several lists of checks is
 * asked for one of them at a time, in turn.
 */
export class WatchedChecks {
  readonly #client: ForgeClient;
  readonly #commits = new Map<string, Watched>();

  constructor(client: ForgeClient) {
    this.#client = client;
  }

  async haveChanged(commit: string, lists: readonly string[]): Promise<boolean> {
    const known = this.#commits.get(commit);
    const watched = known ?? { answers: new Map(), turn: 0 };
    this.#keep(commit, watched);
    const path = lists[watched.turn % lists.length] ?? '';
    watched.turn += 1;
    const { status, body } = await this.#client.call({ method: 'GET', path });
    const hash = createHash('sha256')
      .update(JSON.stringify([status, body]))
      .digest('base64');
    const before = watched.answers.get(path);
    watched.answers.set(path, hash);
    return before !== hash;
  }

  #keep(commit: string, watched: Watched): void {
    this.#commits.delete(commit);
    this.#commits.set(commit, watched);
    const [oldest] = this.#commits.keys();
    if (this.#commits.size > MAX_COMMITS && oldest !== undefined) this.#commits.delete(oldest);
  }
}
