import type { EngineLocation } from '../adapters/containers/engine.ts';
import { sweepContainers } from '../adapters/containers/sweep.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

interface Needs {
  readonly engine: EngineLocation;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY = 60_000;

/**
 * Removes the containers of dead workers, at the start and every minute: a killed worker cannot remove
 * its own.
 */
export function watchContainers({ engine, clock, log }: Needs): { stop(): Promise<void> } {
  let isStopped = false;
  let sweeping = Promise.resolve();
  let timer = clock.after(0, sweep);

  function sweep(): void {
    sweeping = sweepContainers(engine)
      .then((removed) => {
        for (const container of removed) log.info('container removed', { container });
      })
      .catch((fault: Error) => log.error('containers not checked', { fault: fault.message }))
      .finally(() => {
        if (!isStopped) timer = clock.after(EVERY, sweep);
      });
  }

  return {
    async stop() {
      isStopped = true;
      timer.cancel();
      await sweeping;
    },
  };
}
