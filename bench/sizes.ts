/** All sizes. The goals are for FULL; QUICK shows that it works, and roughly how fast. */
export interface Sizes {
  /** Seconds of one reading of a rate, and of the unmeasured time before it. */
  readonly reading: number;
  readonly warmUp: number;
  /** Cycles before the first reading: the same hall took 561 µs each after 10,000 and 406 µs after 30,000. */
  readonly warmUpCycles: number;
  readonly floor: number;
  readonly waiting: number;
  readonly few: number;
  readonly many: number;
  readonly blocked: number;
  readonly enqueueOne: number;
  readonly enqueueBatched: number;
  readonly pickups: number;
  readonly history: History;
  readonly smallHistory: History;
  readonly queries: number;
  readonly restarts: readonly number[];
  /** Files of the repository that a workspace is made of. */
  readonly files: number;
  /** Seconds of schedules in each round. */
  readonly simulate: number;
  /** Seconds of load before a leader or a hall is killed. */
  readonly beforeKill: number;
}

/** Tasks on the board, how many of them are open, and what happened to them. */
export interface History {
  readonly tasks: number;
  readonly open: number;
  readonly events: number;
}

export const FULL: Sizes = {
  reading: 6,
  warmUp: 2,
  warmUpCycles: 30_000,
  floor: 2,
  waiting: 200_000,
  few: 10_000,
  many: 1_000_000,
  blocked: 100_000,
  enqueueOne: 20_000,
  enqueueBatched: 200_000,
  pickups: 500,
  history: { tasks: 1_000_000, open: 200_000, events: 10_000_000 },
  smallHistory: { tasks: 10_000, open: 2_000, events: 100_000 },
  queries: 400,
  restarts: [200_000, 1_000_000],
  files: 50_000,
  simulate: 20,
  beforeKill: 5,
};

export const QUICK: Sizes = {
  reading: 2,
  warmUp: 1,
  warmUpCycles: 3_000,
  floor: 1,
  waiting: 20_000,
  few: 5_000,
  many: 50_000,
  blocked: 10_000,
  enqueueOne: 3_000,
  enqueueBatched: 20_000,
  pickups: 100,
  history: { tasks: 20_000, open: 5_000, events: 200_000 },
  smallHistory: { tasks: 2_000, open: 500, events: 20_000 },
  queries: 40,
  restarts: [20_000],
  files: 5_000,
  simulate: 4,
  beforeKill: 2,
};
