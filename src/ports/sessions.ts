/** Conversations of agents, kept between runs so that the next one goes on where the last one stopped. */
export interface Sessions {
  get(key: string): Promise<StoredSession | null>;
  put(key: string, session: StoredSession): Promise<void>;
  /** Forgets conversations that nobody went on with since `before`, and those that were closed at `now`. */
  sweep(plan: SessionSweep): Promise<void>;
}

interface SessionSweep {
  readonly before: number;
  readonly now: number;
  /** The keys of conversations that somebody may still go on with. */
  readonly open: Iterable<string>;
}

export interface StoredSession {
  /** The backend's own name for it. */
  readonly id: string;
  readonly history: string;
}
