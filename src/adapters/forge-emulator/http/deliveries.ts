import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from './seeded-random.ts';

/** One message to one address. */
interface Outgoing {
  readonly url: string;
  readonly event: string;
  readonly action: string | null;
  readonly body: string;
  readonly headers: (guid: string) => Readonly<Record<string, string>>;
  /** The App whose hook it is, or null for the hook of a repository. */
  readonly appId: number | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
}

/** An attempt to send a message. */
export interface Delivered extends Outgoing {
  readonly id: number;
  readonly guid: string;
  readonly at: number;
  readonly isRedelivery: boolean;
  /** 0 where nobody answered. */
  readonly statusCode: number;
}

/** How deliveries go wrong. */
interface DeliveryPlan {
  /** How often each is sent; 1 is right. */
  readonly copies?: number;
  /** In an order drawn from this seed, among those that wait. */
  readonly shuffle?: number;
  /** One of this many is lost. */
  readonly loseOneOf?: number;
  /** Nothing is sent until a plan without this; what waits is kept. */
  readonly held?: boolean;
}

export interface Deliveries {
  /** Every attempt so far, oldest first. */
  readonly log: readonly Delivered[];
  post(message: Outgoing): void;
  /** Sends a message again, under the same guid. */
  repeat(delivered: Delivered): void;
  plan(plan: DeliveryPlan): void;
  idle(): Promise<void>;
  stop(): void;
}

interface Waiting {
  readonly message: Outgoing;
  readonly guid: string;
  readonly isRedelivery: boolean;
}

/** Forges wait about as long for an answer. */
const LONGEST = 10_000;
/** In a shuffled order, messages of one moment have to meet before the first is drawn. */
const GATHER = 5;

export function createDeliveries(now: () => number): Deliveries {
  const log: Delivered[] = [];
  const waiting: Waiting[] = [];
  const stopping = new AbortController();
  let plan: DeliveryPlan = {};
  let random = seededRandom(0);
  let posted = 0;
  let pumping: Promise<void> | null = null;

  async function pump(): Promise<void> {
    while (waiting.length > 0 && !plan.held && !stopping.signal.aborted) {
      if (plan.shuffle !== undefined) await pause(GATHER);
      const at = plan.shuffle === undefined ? 0 : Math.floor(random() * waiting.length);
      const [next] = waiting.splice(at, 1);
      if (!next) continue;
      const isLost = plan.loseOneOf !== undefined && random() < 1 / plan.loseOneOf;
      const statusCode = isLost ? 0 : await send(next, stopping.signal);
      const { message, ...facts } = next;
      log.push({ ...message, ...facts, id: log.length + 1, at: now(), statusCode });
    }
    pumping = null;
  }

  const start = () => {
    if (waiting.length > 0 && !plan.held) pumping ??= pump();
  };
  const enqueue = (item: Waiting, copies: number) => {
    for (let n = 0; n < copies; n += 1) waiting.push(item);
    start();
  };

  return {
    log,
    post(message) {
      posted += 1;
      enqueue({ message, guid: guidOf(posted), isRedelivery: false }, plan.copies ?? 1);
    },
    repeat: ({ guid, ...message }) => enqueue({ message, guid, isRedelivery: true }, 1),
    plan(next) {
      plan = next;
      random = seededRandom(next.shuffle ?? 0);
      start();
    },
    async idle() {
      while (pumping !== null) await pumping;
    },
    stop: () => stopping.abort(),
  };
}

async function send({ message, guid }: Waiting, stop: AbortSignal): Promise<number> {
  try {
    const response = await fetch(message.url, {
      method: 'POST',
      headers: message.headers(guid),
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(LONGEST)]),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    // Whatever kept the message from arriving is the receiver's affair; a forge notes it and goes on.
    if (error instanceof Error) return 0;
    throw error;
  }
}

function guidOf(n: number): string {
  const hex = createHash('sha256').update(`delivery ${n}`).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20, 32)].join('-');
}
