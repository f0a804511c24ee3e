import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Figure, Metrics } from '../../ports/metrics.ts';

type Observer = { observe(seconds: number): void };

/** Seconds. Long polls last up to a minute, most requests a few milliseconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createPrometheus(): Metrics {
  const kept = new Registry();
  collectDefaultMetrics({ register: kept });
  const durations = new Histogram({
    name: 'guildhall_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [kept],
  });
  const observers = new Map<string, Observer>();

  function observerOf(operation: string, status: string): Observer {
    const key = `${operation} ${status}`;
    const known = observers.get(key) ?? durations.labels({ operation, status });
    observers.set(key, known);
    return known;
  }

  return {
    answered({ operation, status, seconds }) {
      observerOf(operation, `${Math.floor(status / 100)}xx`).observe(seconds);
    },
    async expose(figures) {
      const read = new Registry();
      for (const figure of figures) put(read, figure);
      const text = `${await read.metrics()}\n${await kept.metrics()}`;
      return { type: kept.contentType, text };
    },
  };
}

function put(registry: Registry, { name, help, kind, samples }: Figure): void {
  const labelNames = Object.keys(samples[0]?.labels ?? {});
  const about = { name, help, labelNames, registers: [registry] };
  const metric = kind === 'gauge' ? new Gauge(about) : new Counter(about);
  for (const { labels, value } of samples) metric.inc(labels, value);
}
