/** Conversations of agents, kept between runs so that the next one goes on where the last one stopped. */
export interface Sessions {
  get(key: string): Promise<KeptSession | null>;
  put(key: string, session: KeptSession): Promise<void>;
  /** Forgets conversations that nobody went on with since the instant. */
  sweep(before: number): Promise<void>;
}

export interface KeptSession {
  /** The backend's own name for it. */
  readonly id: string;
  readonly history: string;
}
