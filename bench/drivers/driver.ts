/**
 * One queue, driven from a process of its own, so that its processor time can be told from that of
 * the others. All of them take the same asks; what is not measured is done as fast as it can be.
 */
export interface Driver {
  /** Puts tasks in, in big batches. Not measured. */
  fill(options: FillOptions): Promise<void>;
  /** Lets the store settle after a fill: statistics, vacuum, checkpoint. Not measured. */
  tidy(): Promise<void>;
  /** How many tasks could be claimed, as the store itself counts them. */
  waiting(): Promise<number>;
  /** Starts to claim and complete, and goes on until `end`. */
  begin(options: CycleOptions): Promise<void>;
  sample(): Promise<Sample>;
  end(): Promise<Ended>;
  /** Puts tasks in and measures it. */
  enqueue(options: EnqueueOptions): Promise<Timed>;
  /** From the call that puts a task in until an idle worker has it; milliseconds of each. */
  pickup(options: PickupOptions): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface FillOptions {
  readonly count: number;
  /** Left out: anybody may take them. */
  readonly blocked?: Blocked;
}

/** `dependency` waits for a task that is not done; `capacity` waits for a slot of its own project. */
export type Blocked = 'dependency' | 'capacity';

export interface CycleOptions {
  readonly inFlight: number;
  /** Completes and claims in one call, where the queue has one. */
  readonly fused?: boolean;
  /** Claims so many in a second and no more; left out: as many as it can. */
  readonly perSecond?: number;
  /** Only what is behind tasks that wait for a slot: makes the peer look at its limits. */
  readonly behind?: Blocked;
}

export interface Sample {
  /** Completed and answered so far. */
  readonly done: number;
  /** Milliseconds of the driver's own clock. */
  readonly at: number;
}

export interface Ended {
  readonly done: number;
  /** Tasks that were handed out more than once. */
  readonly twice: number;
  /** Calls that came to nothing though there was something to do. */
  readonly failed: number;
}

export interface EnqueueOptions {
  readonly count: number;
  readonly clients: number;
  /** Tasks in one call. */
  readonly batch: number;
}

export interface PickupOptions {
  readonly samples: number;
  readonly workers: number;
}

export interface Timed {
  readonly count: number;
  readonly milliseconds: number;
}

export type DriverKind = 'hall' | 'pg-boss' | 'graphile-worker' | 'bullmq';

/** Where the queue is, and how it is to be used. */
export interface Place {
  readonly url: string;
  /** Of the hall: the operator's token. */
  readonly token?: string;
  /** Of the hall: which client speaks to it. */
  readonly client?: 'lean' | 'node';
  /** Of graphile-worker: takes many jobs at once into the process and hands them out there. */
  readonly prefetch?: number;
  /** Of the hall: each request carries a key that makes it safe to repeat. */
  readonly keyed?: boolean;
  /** Of the hall: workers pay for their own model, so that no credit is reserved. */
  readonly bringsModel?: boolean;
}

export type OpenDriver = (place: Place) => Promise<Driver>;
