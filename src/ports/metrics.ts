/** Numbers about the hall, for whoever watches it. */
export interface Metrics {
  /** A request was answered. */
  recordRequest(request: {
    readonly operation: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Everything measured, together with these figures, in the form that is scraped. */
  expose(metrics: readonly Metric[]): Promise<{ readonly type: string; readonly text: string }>;
}

/** A number that is read when somebody asks, not kept. */
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
