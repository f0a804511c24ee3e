import { mean, type Spread, spreadOf } from './spread.ts';

/** One reading of one contender. */
export interface Reading {
  readonly value: number;
  /** Another number of the same reading, such as its slowest part. */
  readonly second?: number | undefined;
  readonly cost?: { readonly client: number; readonly server: number } | undefined;
  /** Why the reading is not valid. */
  readonly void?: string | undefined;
}

export type Read = () => Promise<Reading>;

/** A reading of a peer, and ours right before and right after it. */
export interface Beside {
  readonly peer: Reading;
  readonly ours: readonly Reading[];
}

export interface Measured {
  readonly value: Spread;
  readonly cost: { readonly client: number; readonly server: number } | undefined;
  readonly void: string | undefined;
}

export interface Compared {
  readonly ours: Measured;
  readonly peer: Measured;
  /** Our adjacent readings divided by the peer's, one per round. */
  readonly ratio: Spread;
  /**
   * The peer's processor time per operation divided by ours, client and server together, so that more is better
   * here too; undefined where it was not measured. A peer whose server uses both cores looks better by rate.
   */
  readonly processor: Spread | undefined;
}

/**
 * Peer, ours, peer, ours, …, round after round: the speed of the machine changes over minutes, so each peer is
 * compared only with our readings right before and right after it. Returns the rounds of each of our variants
 * with each peer.
 */
export async function interleave(
  rounds: number,
  variants: readonly Read[],
  peers: readonly Read[],
): Promise<readonly (readonly (readonly Beside[])[])[]> {
  const found = variants.map(() => peers.map((): Beside[] => []));
  for (let round = 0; round < rounds; round += 1) {
    let before: readonly Reading[] = [];
    for (const [p, peer] of peers.entries()) {
      const reading = await peer();
      const after: Reading[] = [];
      for (const variant of variants) after.push(await variant());
      for (const [v, own] of after.entries()) {
        const earlier = before[v];
        found[v]?.[p]?.push({ peer: reading, ours: earlier ? [earlier, own] : [own] });
      }
      before = after;
    }
  }
  return found;
}

export type Pick = (reading: Reading) => number;

const theValue: Pick = ({ value }) => value;

export function compare(rounds: readonly Beside[], pick: Pick = theValue): Compared {
  return {
    ours: measuredFrom(
      rounds.flatMap(({ ours }) => ours.slice(-1)),
      pick,
    ),
    peer: measuredFrom(
      rounds.map(({ peer }) => peer),
      pick,
    ),
    ratio: spreadOf(rounds.map(({ ours, peer }) => mean(ours.map(pick)) / pick(peer))),
    processor: processorRatio(rounds),
  };
}

function processorRatio(rounds: readonly Beside[]): Spread | undefined {
  const ratios = rounds.flatMap(({ ours, peer }) => {
    const costs = ours.flatMap(({ cost }) => (cost ? [totalOf(cost)] : []));
    return peer.cost && costs.length > 0 ? [totalOf(peer.cost) / mean(costs)] : [];
  });
  return ratios.length === 0 ? undefined : spreadOf(ratios);
}

function totalOf({ client, server }: NonNullable<Reading['cost']>): number {
  return client + server;
}

/** Several variants one after another in each round, each compared with the first. */
export async function alternate(
  rounds: number,
  variants: readonly Read[],
): Promise<readonly Compared[]> {
  const readings: Reading[][] = variants.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [n, read] of variants.entries()) readings[n]?.push(await read());
  }
  const first = readings[0] ?? [];
  return readings.map((own) =>
    compare(own.flatMap((reading, n) => (first[n] ? [{ ours: [reading], peer: first[n] }] : []))),
  );
}

export function measuredFrom(readings: readonly Reading[], pick: Pick = theValue): Measured {
  const costs = readings.flatMap(({ cost }) => (cost ? [cost] : []));
  return {
    value: spreadOf(readings.map(pick)),
    cost:
      costs.length === 0
        ? undefined
        : {
            client: spreadOf(costs.map(({ client }) => client)).median,
            server: spreadOf(costs.map(({ server }) => server)).median,
          },
    void: readings.find((reading) => reading.void !== undefined)?.void,
  };
}
