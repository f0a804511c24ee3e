/** Metrics of the hall, for monitoring. */
export interface Metrics {
  /** Counts an answered request. */
  recordRequest(request: {
    readonly operation: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Recorded requests and the given metrics, in the format for scraping. */
  expose(metrics: readonly Metric[]): Promise<{ readonly type: string; readonly text: string }>;
}

/** A number that is read at scrape time, not stored. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  /** A counter only grows. */
  readonly kind: 'gauge' | 'counter';
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
