/**
 * A queue, driven from a separate process, so that its CPU time can be told apart. All drivers take the same
 * options; what is not measured is done as fast as possible.
 */
export interface Driver {
  /** Adds tasks in big batches. Not measured. */
  fill(options: FillOptions): Promise<void>;
  /** Lets the store settle after a fill: statistics, vacuum, checkpoint. Not measured. */
  tidy(): Promise<void>;
  /** The number of claimable tasks, as the store itself counts them. */
  waiting(): Promise<number>;
  /** Starts to claim and complete, until `end`. */
  begin(options: CycleOptions): Promise<void>;
  sample(): Promise<Sample>;
  end(): Promise<Ended>;
  /** Adds tasks and measures how long it takes. */
  enqueue(options: EnqueueOptions): Promise<Timed>;
  /** Milliseconds from adding a task until an idle worker has it, for each sample. */
  pickup(options: PickupOptions): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface FillOptions {
  readonly count: number;
  /** Omitted: any worker may take them. */
  readonly blocked?: Blocked;
}

/** `dependency` waits for an unfinished task; `capacity` waits for a slot of its project. */
export type Blocked = 'dependency' | 'capacity';

export interface CycleOptions {
  readonly inFlight: number;
  /** Completes and claims in one call, where the queue has one. */
  readonly fused?: boolean;
  /** Limits the claims per second; omitted: as many as possible. */
  readonly perSecond?: number;
  /** Only tasks behind others that wait for a slot, so that the peer has to check its limits. */
  readonly behind?: Blocked;
}

export interface Sample {
  /** Completed and acknowledged so far. */
  readonly done: number;
  /** Milliseconds of the driver's own clock. */
  readonly at: number;
}

export interface Ended {
  readonly done: number;
  /** Tasks that were handed out more than once. */
  readonly twice: number;
  /** Calls without a result although there were tasks. */
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

/** The address of the queue, and how to use it. */
export interface Place {
  readonly url: string;
  /** For the hall: the operator's token. */
  readonly token?: string;
  /** For the hall: which client to use. */
  readonly client?: 'lean' | 'node';
  /** For graphile-worker: fetches many jobs at once into the process and hands them out there. */
  readonly prefetch?: number;
  /** For the hall: each request has an idempotency key. */
  readonly keyed?: boolean;
  /** For the hall: workers bring their own model, so that no credit is reserved. */
  readonly bringsModel?: boolean;
}

export type OpenDriver = (place: Place) => Promise<Driver>;
