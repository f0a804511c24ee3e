import { createHash } from 'node:crypto';
import { z } from 'zod';
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
    const facts = JSON.stringify([status, factsIn(body)]);
    const hash = createHash('sha256').update(facts).digest('base64');
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

const Check = z.object({
  id: z.number(),
  status: z.string().optional(),
  state: z.string().optional(),
  conclusion: z.string().nullish(),
});
const Lists = z.object({
  check_runs: z.array(Check).nullish(),
  statuses: z.array(Check).nullish(),
});

/** The rest of such an answer, as the counters of its repository, changes without the checks. */
function factsIn(body: unknown): unknown {
  const { success, data } = Lists.safeParse(body);
  return success ? data : body;
}
