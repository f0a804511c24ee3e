import type { Reply, Request } from '../hall/message.ts';
import type { Ledger } from './ledger.ts';

/**
 * What clients were told. A yes must be durably true at the moment it arrives, a repeated request
 * must get the answer it had, and the hall must not tell a worker that its lease is over when it is not.
 */
export class Answers {
  readonly counts = { yes: 0, no: 0, replays: 0, stale: 0 };
  readonly #ledger: Ledger;
  readonly #known = new Map<string, string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  hear(request: Request, reply: Reply): void {
    if (reply.is === 'refused') this.#hearNo(request, reply);
    if (reply.is !== 'done') return;
    this.counts.yes += 1;
    if (reply.isReplay) this.counts.replays += 1;
    this.#same(request, reply.body);
    this.#prove(request, reply.body);
    if (reply.next && request.claim) this.#next(request, reply.next);
  }

  #same({ key }: Request, body: string): void {
    if (key === undefined) return;
    const before = this.#known.get(key);
    if (before === undefined) this.#known.set(key, body);
    else if (before !== body) this.#ledger.fail(`${key} was answered ${before} and then ${body}`);
  }

  #prove({ proof, verb }: Request, body: string): void {
    const fault = proof?.(this.#ledger, body);
    if (fault) this.#ledger.fail(`${verb} was answered, but ${fault}`);
  }

  #next({ claim, worker }: Request, next: Reply): void {
    if (next.is === 'refused') {
      this.#hearNo({ verb: 'next claim', ...(worker !== undefined && { worker }) }, next);
      return;
    }
    if (next.is !== 'done' || !claim) return;
    const { run } = JSON.parse(next.body);
    const known = this.#ledger.runs.get(run);
    if (known?.worker !== claim.worker) this.#ledger.fail(`run ${run} was given but is not stored`);
  }

  /** These two are true for ever once they are true. */
  #hearNo(
    { run, worker, verb }: Pick<Request, 'run' | 'worker' | 'verb'>,
    { refusal: { refused } }: Extract<Reply, { is: 'refused' }>,
  ): void {
    this.counts.no += 1;
    if (refused === 'stale_fence' && run !== undefined) {
      this.counts.stale += 1;
      if (this.#ledger.openRuns.has(run)) {
        this.#ledger.fail(`${verb}: the hall said run ${run} is over, and it is not`);
      }
    }
    if (refused === 'unknown_worker' && worker !== undefined && this.#ledger.workers.has(worker)) {
      this.#ledger.fail(`${verb}: the hall said worker ${worker} is gone, and it is not`);
    }
  }
}
