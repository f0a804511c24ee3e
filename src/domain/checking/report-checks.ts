import type { Board } from '../board.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { followUp } from '../pull-request-follow-up.ts';
import { redactText } from '../redaction.ts';
import type { Checks, Thread, ThreadOnForge } from '../thread.ts';
import { baseResultOf } from './base-results.ts';
import { afterComparison, compare } from './compare-with-base.ts';
import { failuresAfter } from './repeated-failure.ts';

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
    const compared = comparisonOf(board, thread, checks);
    const events = [reported, ...compared];
    const after = { ...thread, forge: compared.reduce(withBase, afterChecks(forge, checks)) };
    const when = { ...now, seq: board.seq + events.length + 1 };
    return decide(id, [...events, ...followUp(board, after, when)]);
  });
}

/** Where another branch that starts at the same commit was compared with it before. */
export function comparisonOf(
  board: Board,
  { id, project }: Thread,
  { base, ...checks }: Checks,
): readonly ReturnType<typeof compare>[] {
  const known = base && baseResultOf(board, project, base.commit);
  return base && known ? [compare(id, { ...checks, base }, known)] : [];
}

export function withBase(
  forge: ThreadOnForge,
  { base }: ReturnType<typeof compare>,
): ThreadOnForge {
  return afterComparison(forge, base);
}

export function afterChecks(forge: ThreadOnForge, checks: Checks): ThreadOnForge {
  const failures = failuresAfter(forge, checks);
  const { failures: _, ...rest } = forge;
  const ciRetries = retriesAfter(forge, checks);
  return { ...rest, checks, ciRetries, ...(failures.length > 0 && { failures }) };
}

/** A green head starts the count again; a red one counts once, however often its checks are reported. */
function retriesAfter(
  { checks: before, ciRetries }: ThreadOnForge,
  { is, commit }: Checks,
): number {
  if (is === 'green') return 0;
  const isCounted = before?.commit === commit && before.is === 'red';
  return is === 'red' && !isCounted ? ciRetries + 1 : ciRetries;
}
