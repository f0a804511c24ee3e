import type { Board } from '../board.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { Instant, ThreadId } from '../ids.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { followUp } from '../pull-request-follow-up.ts';
import type { Rerun } from '../thread.ts';
import { ownFailures } from './compare-with-base.ts';
import { afterRerun, isRerunDue } from './flaky-checks.ts';

interface Started {
  readonly thread: ThreadId;
  readonly commit: string;
  /** When the newest failure was that the forge showed before; null where it cannot run them again. */
  readonly newest: Instant | null;
}

/** Records that checks were started again. Where the forge cannot do that, the follow-up is decided now. */
export function reportRerun(
  board: Board,
  { thread: id, commit, newest }: Started,
  now: Now,
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    const { checks } = thread.forge;
    if (!checks || checks.commit !== commit || !isRerunDue(board, thread)) return decide(id, []);
    const rerun: Rerun = { names: ownFailures(checks), at: now.at, newest };
    const event: HallEvent = { type: 'ChecksRerun', thread: id, rerun };
    const after = { ...thread, forge: afterRerun(thread.forge, rerun) };
    const when = { ...now, seq: board.seq + 2 };
    return decide(id, [event, ...followUp(board, after, when)]);
  });
}
