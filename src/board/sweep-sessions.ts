import type { Duration } from '../domain/ids.ts';
import { openSessionKeys } from '../domain/session-keys.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Hall } from './hall.ts';

interface Needs {
  readonly hall: Hall;
  readonly sessions: Pick<Sessions, 'sweep'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly keep: Duration;
}

const LOOK_EVERY: Duration = 3_600_000;

/** Deletes sessions that are old or whose thread is closed, on every node: each keeps its own. */
export function sweepSessions({ hall, sessions, clock, log, keep }: Needs): { stop(): void } {
  let timer = clock.after(0, look);

  function look(): void {
    timer = clock.after(LOOK_EVERY, look);
    const now = clock.now();
    sessions
      .sweep({ before: now - keep, now, open: openSessionKeys(hall.board) })
      .catch((fault: Error) => log.error('maintenance job failed', { fault: fault.message }));
  }

  return { stop: () => timer.cancel() };
}
