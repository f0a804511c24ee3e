import { z } from 'zod';
import { NO_TOKENS, type Tokens } from '../../domain/metering.ts';

const count = z.number().int().min(0).max(1e12).optional().catch(undefined);

const Used = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.looseObject({ ephemeral_1h_input_tokens: count }).nullish().catch(undefined),
});

const Message = z.looseObject({ model: z.string().optional(), usage: Used.optional() });
const Event = z.looseObject({
  type: z.string(),
  message: Message.optional(),
  usage: Used.optional(),
});

/** Reads the usage of a call from its answer as it streams by. */
interface Meter {
  feed(chunk: Uint8Array): void;
  /** After the last chunk. */
  end(): void;
  /** The usage so far; null before the model starts to answer. */
  reading(): MeterReading | null;
}

export interface MeterReading {
  readonly model: string | null;
  readonly tokens: Tokens;
}

export function createStreamMeter(): Meter {
  return new StreamMeter();
}

/** The usage that an unstreamed answer reports. */
export function usageIn(answer: unknown): MeterReading | null {
  const message = Message.safeParse(answer);
  return message.success && message.data.usage ? readingOf(message.data) : null;
}

/** Events that report usage are short; a longer line is model text and is skipped. */
const LONGEST_LINE = 256 * 1024;

class StreamMeter implements Meter {
  readonly #decoder = new TextDecoder();
  #line = '';
  #isTooLong = false;
  #reading: MeterReading | null = null;

  feed(chunk: Uint8Array): void {
    const lines = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      if (!this.#isTooLong) this.#read(this.#line + line);
      this.#line = '';
      this.#isTooLong = false;
    }
    this.#line += last;
    if (this.#line.length > LONGEST_LINE) {
      this.#line = '';
      this.#isTooLong = true;
    }
  }

  end(): void {
    if (!this.#isTooLong) this.#read(this.#line);
  }

  reading(): MeterReading | null {
    return this.#reading;
  }

  #read(line: string): void {
    if (!line.startsWith('data:') || !/"(message_start|message_delta)"/.test(line)) return;
    const event = Event.safeParse(parsed(line.slice('data:'.length)));
    if (!event.success) return;
    const { type, message, usage } = event.data;
    if (type === 'message_start') this.#reading = readingOf(message);
    if (type === 'message_delta' && usage) this.#reading = raised(this.#reading, usage);
  }
}

function readingOf(message: z.output<typeof Message> | undefined): MeterReading {
  return { model: message?.model ?? null, tokens: raisedTokens(NO_TOKENS, message?.usage ?? {}) };
}

function raised(before: MeterReading | null, usage: z.output<typeof Used>): MeterReading {
  const { model, tokens } = before ?? { model: null, tokens: NO_TOKENS };
  return { model, tokens: raisedTokens(tokens, usage) };
}

/** Later events repeat or raise earlier numbers; some omit them. */
function raisedTokens(before: Tokens, usage: z.output<typeof Used>): Tokens {
  const long = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const written = Math.max(0, (usage.cache_creation_input_tokens ?? 0) - long);
  return {
    input: Math.max(before.input, usage.input_tokens ?? 0),
    cacheRead: Math.max(before.cacheRead, usage.cache_read_input_tokens ?? 0),
    cacheWrite: Math.max(before.cacheWrite, written),
    cacheWriteLong: Math.max(before.cacheWriteLong, long),
    output: Math.max(before.output, usage.output_tokens ?? 0),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
