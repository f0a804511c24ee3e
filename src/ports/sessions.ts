/** Agent conversations, stored between runs so the next run can resume the last one. */
export interface Sessions {
  get(key: string): Promise<StoredSession | null>;
  put(key: string, session: StoredSession): Promise<void>;
  /** Deletes conversations not resumed since `before`, and closed ones last used before `now`. */
  sweep(plan: SessionSweep): Promise<void>;
}

interface SessionSweep {
  readonly before: number;
  readonly now: number;
  /** Keys of conversations that a run may still resume. */
  readonly open: Iterable<string>;
}

export interface StoredSession {
  /** The backend's id for it. */
  readonly id: string;
  readonly history: string;
}
