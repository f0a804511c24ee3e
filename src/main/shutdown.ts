import type { Log } from '../ports/log.ts';
import type { Pending } from './server.ts';

/** Signals of the operating system and the runtime. Production passes `process`; tests pass their own. */
export interface Signals {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  once(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  once(event: 'uncaughtException', listener: (fault: Error) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(event: 'uncaughtException', listener: (fault: Error) => void): unknown;
}

export interface ShutdownNeeds {
  readonly signals: Signals;
  /** Ends the process at once, after a second signal or a bug. */
  readonly exit: (code: number) => void;
}

export const STOPPED = 0;
export const FAILED = 1;
const INTERRUPTED = 130;

interface SignalHandlers {
  readonly stop: (signal: string) => void;
  readonly reread: () => Promise<void>;
}

/** The first signal stops the hall gracefully, the second at once. */
export function listenForSignals(
  { signals, exit }: ShutdownNeeds,
  { stop, reread: reload }: SignalHandlers,
): Listener {
  let isStopping = false;
  const end = (signal: NodeJS.Signals) => {
    if (isStopping) {
      exit(INTERRUPTED);
      return;
    }
    isStopping = true;
    stop(signal);
  };
  const hangUp = () => void reload();
  const listeners = { SIGTERM: end, SIGINT: end, SIGHUP: hangUp } as const;
  const each = Object.entries(listeners) as [keyof typeof listeners, typeof end][];
  for (const [signal, listener] of each) signals.on(signal, listener);
  return {
    release() {
      for (const [signal, listener] of each) signals.off(signal, listener);
    },
  };
}

/** Even if something hangs, the process ends shortly after its grace period. */
export async function waitForEnd(
  ending: Promise<void>,
  { grace, log, pending }: Shutdown,
): Promise<number> {
  const waiting = setInterval(
    () => log.info('hall waiting to stop', { ...pending() }),
    REPORT_EVERY,
  );
  const late = Promise.withResolvers<number>();
  const timer = setTimeout(() => {
    log.error('hall did not stop in time', { grace_seconds: grace / 1_000 });
    late.resolve(FAILED);
  }, grace + AFTER_GRACE);
  const done = ending.then(
    () => STOPPED,
    (fault: Error) => {
      log.error('hall did not stop cleanly', { fault: fault.message });
      return FAILED;
    },
  );
  const code = await Promise.race([done, late.promise]);
  clearTimeout(timer);
  clearInterval(waiting);
  return code;
}

interface Shutdown {
  readonly grace: number;
  readonly log: Log;
  readonly pending: () => Pending;
}

const REPORT_EVERY = 2_000;

const AFTER_GRACE = 1_000;

/** A bug leaves the hall's memory in an unknown state; only a restart is safe. */
export function endOnBug({ signals, exit }: ShutdownNeeds, log: Log): Listener {
  const end = (fault: Error) => {
    log.error('uncaught exception, hall exits', { fault: fault.message, stack: fault.stack ?? '' });
    exit(FAILED);
  };
  signals.once('uncaughtException', end);
  return { release: () => void signals.off('uncaughtException', end) };
}

interface Listener {
  /** Removes the listeners. */
  release(): void;
}
