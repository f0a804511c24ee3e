import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Metric, Metrics } from '../../ports/metrics.ts';

type Observer = { observe(seconds: number): void };

/** Seconds. Long polls last up to a minute, most requests a few milliseconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createPrometheus(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'guildhall_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const observers = new Map<string, Observer>();

  function observerOf(operation: string, status: string): Observer {
    const key = `${operation} ${status}`;
    const known = observers.get(key) ?? durations.labels({ operation, status });
    observers.set(key, known);
    return known;
  }

  return {
    recordRequest({ operation, status, seconds }) {
      observerOf(operation, `${Math.floor(status / 100)}xx`).observe(seconds);
    },
    async expose(metrics) {
      const scraped = new Registry();
      for (const metric of metrics) register(scraped, metric);
      const text = `${await scraped.metrics()}\n${await registry.metrics()}`;
      return { type: registry.contentType, text };
    },
  };
}

function register(registry: Registry, { name, help, kind, samples }: Metric): void {
  const labelNames = Object.keys(samples[0]?.labels ?? {});
  const options = { name, help, labelNames, registers: [registry] };
  const metric = kind === 'gauge' ? new Gauge(options) : new Counter(options);
  for (const { labels, value } of samples) metric.inc(labels, value);
}
