/** Workers that the hall starts on its own machine. They outlive the hall, and the next hall finds them again. */
export interface Recruits {
  /** Starts a worker as this instance, for these projects; an empty list means every project of the instance. */
  start(instance: string, projects: readonly string[]): Promise<void>;
  /** All workers started by this hall or an earlier one and not yet forgotten. */
  list(): Promise<readonly Recruit[]>;
  /** Asks a worker to exit after its current task. */
  dismiss(recruit: Recruit): void;
  /** Removes what a dead worker left behind. */
  forget(recruit: Recruit): Promise<void>;
}

export interface Recruit {
  readonly name: string;
  readonly instance: string;
  /** The worker's id at the hall; null until it has registered. */
  readonly worker: string | null;
  readonly isAlive: boolean;
  /** The last line that a dead worker printed. */
  readonly lastOutput: string | null;
}
