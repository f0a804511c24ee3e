import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import { type MeteredCall, NO_TOKENS, recordCall, type Tokens } from '../../domain/metering.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Lease } from '../../domain/reporting.ts';
import type { Run } from '../../domain/run.ts';
import type { MeterReading } from './meter.ts';

interface Needs {
  readonly hall: Hall;
  readonly lease: Lease;
  readonly actor: string;
  /** The model that was asked for, where the answer names none. */
  readonly model: string;
}

/** Writes down what one call used: at once when it is the run's first answer, the rest at its end. */
export class UsageRecorder {
  readonly #needs: Needs;
  #isCommitted: boolean;
  #recorded: Tokens | null = null;

  constructor(needs: Needs, run: Run) {
    this.#needs = needs;
    this.#isCommitted = run.committed;
  }

  /** The credit is spent before the agent sees a word of the answer. */
  async begin(reading: MeterReading | null): Promise<Refusal | undefined> {
    if (this.#isCommitted || reading === null) return undefined;
    this.#isCommitted = true;
    return this.#record(reading);
  }

  async end(reading: MeterReading | null): Promise<Refusal | undefined> {
    return reading === null ? undefined : this.#record(reading);
  }

  async #record({ model, tokens }: MeterReading): Promise<Refusal | undefined> {
    const { hall, lease, actor, model: asked } = this.#needs;
    const before = this.#recorded;
    this.#recorded = tokens;
    const call: MeteredCall = {
      model: model ?? asked,
      tokens: less(tokens, before ?? NO_TOKENS),
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

function less(all: Tokens, before: Tokens): Tokens {
  return {
    input: all.input - before.input,
    cacheRead: all.cacheRead - before.cacheRead,
    cacheWrite: all.cacheWrite - before.cacheWrite,
    cacheWriteLong: all.cacheWriteLong - before.cacheWriteLong,
    output: all.output - before.output,
  };
}
