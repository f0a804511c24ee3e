import type { Signals } from '../main/shutdown.ts';

/** Aborted by the first SIGINT or SIGTERM. A second signal has its default effect. */
export function stopSignal(signals: Signals): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => stop.abort());
  return stop.signal;
}
