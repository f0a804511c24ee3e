import { type CredentialFaults, noteCredentialFaults } from '../domain/credential-faults.ts';
import type { Duration } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { byChore } from './chore.ts';
import type { Hall } from './hall.ts';

interface Needs {
  readonly hall: Hall;
  readonly clock: Clock;
  readonly log: Log;
  /** As of now: the configuration and the secrets change while the hall runs. */
  readonly faults: () => CredentialFaults;
}

interface CredentialWatch {
  /** Compares now, for a change that was just made. */
  look(): Promise<void>;
  stop(): void;
}

/** A node that becomes the leader has to look too. */
const LOOK_EVERY: Duration = 5_000;

/** Keeps the board informed which invokers have a credential that the leader can read. */
export function watchCredentials({ hall, clock, log, faults }: Needs): CredentialWatch {
  let stopped = false;
  let timer = clock.after(LOOK_EVERY, tick);

  async function look(): Promise<void> {
    const leading = hall.leading();
    if (!leading || noteCredentialFaults(hall.board, faults()).events.length === 0) return;
    await leading.writer.change({
      meta: byChore('credentials'),
      decide: (board) => noteCredentialFaults(board, faults()),
    });
  }

  function tick(): void {
    look()
      .catch((fault: Error) => {
        if (!stopped) log.warn('maintenance job failed', { fault: fault.message });
      })
      .finally(() => {
        if (!stopped) timer = clock.after(LOOK_EVERY, tick);
      });
  }

  return {
    look,
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}
