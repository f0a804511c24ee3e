import type { ServerResponse } from 'node:http';
import type { Hall } from '../board/hall.ts';
import type { HallEvent } from '../domain/event.ts';
import type { ApprovalId, Duration, RunId } from '../domain/ids.ts';

/** Lets a caller wait for a person's answer. */
export function createApprovalWaits(hall: Hall) {
  return {
    /** Settles on the answer, the end of the run, the timeout, or when the client disconnects. */
    answered(id: ApprovalId, wait: Duration, response: ServerResponse): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const run = hall.board.approvals.get(id)?.run;
      const watching = hall.subscribe((events) => {
        if (events.some(({ event }) => ends(event, id, run))) resolve();
      });
      const timer = hall.clock.after(wait, resolve);
      response.once('close', resolve);
      // The answer may have arrived between the read and the subscription.
      if (hall.board.approvals.get(id)?.answer !== null) resolve();
      return promise.finally(() => {
        watching.stop();
        timer.cancel();
        response.removeListener('close', resolve);
      });
    },
  };
}

function ends(event: HallEvent, id: ApprovalId, run: RunId | undefined): boolean {
  if (event.type === 'ApprovalAnswered') return event.approval === id;
  return event.type === 'RunEnded' && event.run === run;
}
