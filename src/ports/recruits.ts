/** Workers that the hall starts on its own machine. They outlive the hall and are found again by it. */
export interface Recruits {
  /** It works as this instance, in these projects; where none is named, wherever the instance may. */
  start(instance: string, projects: readonly string[]): Promise<void>;
  /** All that were started and not yet forgotten, by this hall or the one before it. */
  list(): Promise<readonly Recruit[]>;
  /** Tells one to go; what it works on it finishes first. */
  dismiss(recruit: Recruit): void;
  /** Clears away what one left that is gone. */
  forget(recruit: Recruit): Promise<void>;
}

export interface Recruit {
  readonly name: string;
  readonly instance: string;
  /** As the hall spells it; null until it has registered. */
  readonly worker: string | null;
  readonly isAlive: boolean;
  /** The last line of one that is gone. */
  readonly lastOutput: string | null;
}
