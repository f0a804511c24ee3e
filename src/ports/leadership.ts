/** Who leads, as the store's head row has it. */
export interface Leader {
  readonly epoch: number;
  /** Rises about every second while the leader lives. */
  readonly heartbeat: number;
  /** Where the leader answers requests. */
  readonly url: string;
  readonly seq: number;
}

/**
 * Several halls share one store; one of them leads.
 *
 * Nobody holds a lock: a stopped leader would keep it. The leader is whoever the head row names, and
 * every append compares the epoch in that row, so a leader that lost leadership can change nothing.
 */
export interface Leadership {
  look(): Promise<Leader>;
  /** Makes this node the leader, if epoch and heartbeat are still those that were seen. Answers the new epoch. */
  takeOver(seen: Leader, url: string): Promise<number | undefined>;
  /** Shows that the leader of this epoch lives. False when another epoch has begun. */
  heartbeat(epoch: number): Promise<boolean>;
  /** Gives leadership up at once, so that nobody waits for the heartbeat to stop. */
  stepDown(epoch: number): Promise<void>;
  /** Calls back whenever the log may have moved; also now and then without reason. */
  onMove(wake: () => void): { stop(): void };
}
