/** The leader, as recorded in the store's head row. */
export interface Leader {
  readonly epoch: number;
  /** Grows about once a second while the leader is alive. */
  readonly heartbeat: number;
  /** Where the leader answers requests. */
  readonly url: string;
  readonly seq: number;
}

/**
 * Several nodes share one store; one of them leads. There is no lock, because a stopped leader would keep
 * it. The head row names the leader, and every append compares the epoch in that row, so a former leader
 * cannot write.
 */
export interface Leadership {
  look(): Promise<Leader>;
  /** Makes this node the leader if epoch and heartbeat still match `seen`. Returns the new epoch. */
  takeOver(leader: Leader, url: string): Promise<number | undefined>;
  /** Records that the leader of this epoch is alive. False when another epoch has begun. */
  heartbeat(epoch: number): Promise<boolean>;
  /** Gives up leadership at once, so followers need not wait for the heartbeat to stop. */
  stepDown(epoch: number): Promise<void>;
  /** Calls `wake` whenever the log may have grown; spurious calls are possible. */
  onMove(wake: () => void): { stop(): void };
}
