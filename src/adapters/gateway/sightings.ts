import type { IncomingMessage } from 'node:http';

import type { SeenFailure } from '../../ports/doors.ts';

/** What a gateway saw of the calls of its run. */
export interface Sightings {
  readonly calls: number;
  /** How the latest call failed; null when it was answered. */
  readonly lastFailure: SeenFailure | null;
  /** When a limit opens again, in milliseconds since 1970, where the hall said so. */
  readonly resetsAt: number | null;
}

interface Noting {
  called(): void;
  answered(answer: IncomingMessage): void;
  failed(how: Pick<Failed, 'failure' | 'resetsAt'>): void;
}

interface Failed {
  readonly failure: SeenFailure;
  readonly resetsAt: number | null;
}

export function createSightings(stale: () => void): Sightings & Noting {
  let calls = 0;
  let last: Failed | null = null;
  let isStale = false;

  function failed(how: Failed): void {
    last = how;
    if (how.failure !== 'stale_fence' || isStale) return;
    isStale = true;
    stale();
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
    called() {
      calls += 1;
    },
    answered(answer) {
      const { statusCode = 502 } = answer;
      if (statusCode < 400) last = null;
      else failed({ failure: failureIn(answer), resetsAt: resetIn(answer) });
    },
    failed,
  };
}

const FAILURES: readonly SeenFailure[] = [
  'quota',
  'auth',
  'overloaded',
  'ceiling',
  'stale_fence',
  'refused',
  'away',
];

function failureIn({ headers, statusCode = 502 }: IncomingMessage): SeenFailure {
  const said = FAILURES.find((failure) => failure === headers['x-guildhall-failure']);
  return said ?? (statusCode >= 500 ? 'away' : 'refused');
}

function resetIn({ headers }: IncomingMessage): number | null {
  const said = Number(headers['x-guildhall-resets-at'] ?? Number.NaN);
  return Number.isSafeInteger(said) ? said : null;
}
