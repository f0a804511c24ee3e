import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import type { Lease } from '../../domain/lease.ts';
import { type MeteredCall, NO_TOKENS, recordCall, type Tokens } from '../../domain/metering.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import type { MeterReading } from './meter.ts';

interface Needs {
  readonly hall: Hall;
  readonly lease: Lease;
  readonly actor: string;
  /** The requested model, used if the answer names none. */
  readonly model: string;
}

/** Records what one call used: at once for the run's first answer, the rest at the end. */
export class UsageRecorder {
  readonly #needs: Needs;
  #isCommitted: boolean;
  #recorded: Tokens | null = null;

  constructor(needs: Needs, run: Run) {
    this.#needs = needs;
    this.#isCommitted = run.committed;
  }

  /** Spends the credit before the agent sees any of the answer. */
  async begin(reading: MeterReading | null): Promise<Refusal | undefined> {
    if (this.#isCommitted || reading === null) return undefined;
    this.#isCommitted = true;
    return this.#record(reading);
  }

  async end(reading: MeterReading | null): Promise<Refusal | undefined> {
    return reading === null ? undefined : this.#record(reading);
  }

  async #record({ model, tokens }: MeterReading): Promise<Refusal | undefined> {
    const { hall, lease, actor, model: requested } = this.#needs;
    const before = this.#recorded;
    this.#recorded = tokens;
    const call: MeteredCall = {
      model: model ?? requested,
      tokens: difference(tokens, before ?? NO_TOKENS),
      isFirst: before === null,
    };
    const meta = { actor, cause: 'gateway' };
    const outcome = await requireLeading(hall).writer.change<Run>({
      meta,
      decide: (board) => recordCall(board, lease, call),
    });
    return isRefusal(outcome) ? outcome : undefined;
  }
}

function difference(all: Tokens, before: Tokens): Tokens {
  return {
    input: all.input - before.input,
    cacheRead: all.cacheRead - before.cacheRead,
    cacheWrite: all.cacheWrite - before.cacheWrite,
    cacheWriteLong: all.cacheWriteLong - before.cacheWriteLong,
    output: all.output - before.output,
  };
}
