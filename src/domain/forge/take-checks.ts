import type { Board } from '../board.ts';
import { afterChecks } from '../checking/report-checks.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { Duration, Instant, ThreadId } from '../ids.ts';
import { followUp } from '../pull-request-follow-up.ts';
import { redactText } from '../redaction.ts';
import { haveSameValues } from '../same-values.ts';
import type { BranchBase, Checks } from '../thread.ts';
import { type LookResult, openThreadOf } from './look-result.ts';
import type { ForgeCheck } from './snapshot.ts';

/** A red check may be followed by others for this long before an agent is asked to fix it. */
const CI_SETTLES_WITHIN: Duration = 15 * 60_000;

interface Timing {
  /** Since when the forge has had this head. */
  readonly pushedAt: Instant;
  /** How long a head without any check waits for one. */
  readonly ciWait: Duration;
  readonly now: Instant;
}

/** The result of all checks together. A newer look replaces it, so that a rerun can turn it green. */
export function resultOf(
  checks: readonly ForgeCheck[],
  timing: Timing,
): Pick<Checks, 'is' | 'failing'> {
  const counted = checks.filter(({ is }) => is !== 'ignored');
  const failing = counted.filter(({ is }) => is === 'red');
  const names = failing.map(({ name }) => name).sort();
  if (counted.length === 0) {
    const isOver = timing.now - timing.pushedAt >= timing.ciWait;
    return { is: isOver ? 'none' : 'pending', failing: [] };
  }
  const isRunning = counted.some(({ is }) => is === 'pending');
  const first = Math.min(...failing.map(({ at }) => at));
  const isLate = failing.length > 0 && timing.now - first >= CI_SETTLES_WITHIN;
  if (isRunning && !isLate) return { is: 'pending', failing: names };
  return { is: failing.length > 0 ? 'red' : 'green', failing: names };
}

interface CheckSighting {
  readonly checks: readonly ForgeCheck[];
  readonly timing: Timing;
  /** The output of the failing checks. */
  readonly excerpt: string;
  /** Where the branch starts, with the names that fail there; null where it is unknown. */
  readonly base: BranchBase | null;
}

/** Records what CI says about the head of a thread's branch. */
export function takeChecks(
  board: Board,
  { result, seen }: { readonly result: LookResult; readonly seen: CheckSighting },
  now: Now,
): Decision<ThreadId | null> {
  const thread = openThreadOf(board, result);
  const { pull } = result.snapshot;
  if (!thread || pull?.state !== 'open' || thread.forge.head !== pull.head) return decide(null, []);
  const { forge } = thread;
  const checks: Checks = {
    commit: pull.head,
    ...resultOf(seen.checks, seen.timing),
    ...(seen.base && { base: seen.base }),
  };
  if (forge.checks && haveSameValues(forge.checks, checks)) return decide(thread.id, []);
  const reported: HallEvent = {
    type: 'ChecksReported',
    thread: thread.id,
    checks,
    excerpt: redactText(seen.excerpt),
  };
  const after = { ...thread, forge: afterChecks(forge, checks) };
  const when = { ...now, seq: board.seq + 2 };
  const isNews = forge.checks?.commit !== checks.commit || forge.checks.is !== checks.is;
  return decide(thread.id, [reported, ...(isNews ? followUp(board, after, when) : [])]);
}
