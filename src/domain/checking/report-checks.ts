import type { Board } from '../board.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { followUp } from '../pull-request-follow-up.ts';
import { redactText } from '../redaction.ts';
import type { Checks, ThreadOnForge } from '../thread.ts';

interface CheckResults {
  readonly thread: ThreadId;
  readonly checks: Checks;
  readonly excerpt: string;
}

/** Records the checks of a commit. Only the first report for a commit counts. */
export function reportChecks(
  board: Board,
  { thread: id, checks, excerpt }: CheckResults,
  now: Now,
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    const { forge } = thread;
    if (forge.head !== checks.commit || forge.checks?.commit === checks.commit) {
      return decide(id, []);
    }
    const reported: HallEvent = {
      type: 'ChecksReported',
      thread: id,
      checks,
      excerpt: redactText(excerpt),
    };
    const after = { ...thread, forge: afterChecks(forge, checks) };
    return decide(id, [reported, ...followUp(board, after, { ...now, seq: board.seq + 2 })]);
  });
}

export function afterChecks(forge: ThreadOnForge, checks: Checks): ThreadOnForge {
  const ciRetries = checks.is === 'green' ? 0 : forge.ciRetries + 1;
  return { ...forge, checks, ciRetries };
}
