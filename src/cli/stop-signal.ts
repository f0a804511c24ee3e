import type { Signals } from '../main/shutdown.ts';

/** Aborted when the command is told to stop. A second signal does what it does without us. */
export function stopSignal(signals: Signals): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => stop.abort());
  return stop.signal;
}
