import type { Board } from '../board.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import { followUp, type Moment } from '../pull-request-follow-up.ts';
import { redactText } from '../redaction.ts';
import type { BranchBase, Checks, Thread } from '../thread.ts';
import type { BaseResult } from './base-results.ts';
import { afterComparison, compare, isBaseUnknown, isWaitingForBase } from './compare-with-base.ts';
import { checksAreRed } from './status.ts';

/** Records the checks of a base commit and compares every branch that starts there with them. */
export function reportBaseChecks(
  board: Board,
  { project, ...reported }: BaseResult & { readonly project: string },
  now: Now,
): Decision<string> {
  const result = { ...reported, excerpt: redactText(reported.excerpt) };
  const events: HallEvent[] = [{ type: 'BaseChecksReported', project, ...result }];
  for (const thread of board.threads.values()) {
    const { checks, pr } = thread.forge;
    if (thread.project !== project || pr?.state !== 'open' || !startsAt(checks, result.commit))
      continue;
    const when = { ...now, seq: board.seq + events.length + 1 };
    events.push(...afterBaseResult(board, { thread, checks, result }, when));
  }
  return decide(project, events);
}

function startsAt(
  checks: Checks | null,
  commit: string,
): checks is Checks & { readonly base: BranchBase } {
  return checks?.base?.commit === commit;
}

interface Comparison {
  readonly thread: Thread;
  readonly checks: Checks & { readonly base: BranchBase };
  readonly result: BaseResult;
}

function afterBaseResult(
  board: Board,
  { thread, checks, result }: Comparison,
  when: Moment,
): readonly HallEvent[] {
  const compared = compare(thread.id, checks, result);
  const after = { ...thread, forge: afterComparison(thread.forge, compared.base) };
  if (isWaitingForBase(thread) && !isWaitingForBase(after)) {
    const change = { handedOver: null, recheck: true } as const;
    return [compared, { type: 'ThreadChanged', thread: thread.id, change }];
  }
  const isUndecided = isBaseUnknown(thread.forge) && checksAreRed(thread.forge);
  if (!isUndecided || thread.handedOver !== null) return [compared];
  return [compared, ...followUp(board, after, { ...when, seq: when.seq + 1 })];
}
