import type { IncomingMessage } from 'node:http';

import type { CallFailure } from '../../ports/run-proxies.ts';

/** What a gateway observed of its run's calls. */
export interface ModelCalls {
  readonly calls: number;
  /** How the latest call failed; null when it was answered. */
  readonly lastFailure: CallFailure | null;
  /** When a limit resets, in milliseconds since 1970, if the hall said so. */
  readonly resetsAt: number | null;
}

interface ModelCallRecorder {
  recordCall(): void;
  recordResponse(response: IncomingMessage): void;
  recordFailure(failed: Pick<FailedCall, 'failure' | 'resetsAt'>): void;
}

interface FailedCall {
  readonly failure: CallFailure;
  readonly resetsAt: number | null;
}

export function createModelCalls(onStale: () => void): ModelCalls & ModelCallRecorder {
  let calls = 0;
  let last: FailedCall | null = null;
  let isStale = false;

  function recordFailure(failed: FailedCall): void {
    last = failed;
    if (failed.failure !== 'stale_fence' || isStale) return;
    isStale = true;
    onStale();
  }

  return {
    get calls() {
      return calls;
    },
    get lastFailure() {
      return last?.failure ?? null;
    },
    get resetsAt() {
      return last?.resetsAt ?? null;
    },
    recordCall() {
      calls += 1;
    },
    recordResponse(response) {
      const { statusCode = 502 } = response;
      if (statusCode < 400) last = null;
      else recordFailure({ failure: failureOf(response), resetsAt: resetTimeOf(response) });
    },
    recordFailure,
  };
}

const FAILURES: readonly CallFailure[] = [
  'quota',
  'auth',
  'overloaded',
  'ceiling',
  'stale_fence',
  'refused',
  'away',
];

function failureOf({ headers, statusCode = 502 }: IncomingMessage): CallFailure {
  const value = FAILURES.find((failure) => failure === headers['x-guildhall-failure']);
  return value ?? (statusCode >= 500 ? 'away' : 'refused');
}

function resetTimeOf({ headers }: IncomingMessage): number | null {
  const value = Number(headers['x-guildhall-resets-at'] ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : null;
}
