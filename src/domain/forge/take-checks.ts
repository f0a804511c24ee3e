import type { Board } from '../board.ts';
import { afterChecks, comparisonOf, withBase } from '../checking/report-checks.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { Duration, Instant, ThreadId } from '../ids.ts';
import { followUp } from '../pull-request-follow-up.ts';
import { redactText } from '../redaction.ts';
import { haveSameValues } from '../same-values.ts';
import type { BranchBase, Checks, Rerun } from '../thread.ts';
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
  /** Failures up to this one were seen before the checks were started once more. */
  readonly rerun?: Rerun | undefined;
}

/** The result of all checks together. A newer look replaces it, so that a rerun can turn it green. */
export function resultOf(
  checks: readonly ForgeCheck[],
  timing: Timing,
): Pick<Checks, 'is' | 'failing'> {
  const counted = checks.filter(({ is }) => is !== 'ignored').map((check) => shown(check, timing));
  const failing = counted.filter(({ is }) => is === 'red');
  const names = failing.map(({ name }) => name).sort();
  if (counted.length === 0) {
    return { is: isOverdue(timing) ? 'none' : 'pending', failing: [] };
  }
  const isRunning = counted.some(({ is }) => is === 'pending');
  const first = Math.min(...failing.map(({ at }) => at));
  const isLate = failing.length > 0 && timing.now - first >= CI_SETTLES_WITHIN;
  if (isRunning && !isLate) return { is: 'pending', failing: names };
  return { is: failing.length > 0 ? 'red' : 'green', failing: names };
}

/** A failure from before a rerun says nothing, until it is clear that the rerun never comes. */
function shown(check: ForgeCheck, { rerun, now }: Timing): ForgeCheck {
  const isOld =
    check.is === 'red' &&
    rerun?.newest != null &&
    check.at <= rerun.newest &&
    rerun.names.includes(check.name);
  return isOld && now - rerun.at < CI_SETTLES_WITHIN ? { ...check, is: 'pending' } : check;
}

interface CheckSighting {
  readonly checks: readonly ForgeCheck[];
  readonly timing: Timing;
  /** The output of the failing checks. */
  readonly excerpt: string;
  /** Where the branch starts, with the names that fail there; null where it is unknown. */
  readonly base: BranchBase | null;
  /** The files of a red head; null where it is unknown. */
  readonly tree: string | null;
  /** Checks that the base branch requires, as far as they were asked for. */
  readonly required: readonly string[];
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
  const before = forge.checks?.commit === pull.head ? forge.checks : null;
  const checks = checksFrom(pull.head, before, seen);
  if (forge.checks && haveSameValues(forge.checks, checks)) return decide(thread.id, []);
  const reported: HallEvent = {
    type: 'ChecksReported',
    thread: thread.id,
    checks,
    excerpt: redactText(seen.excerpt),
    ...withFlaked(before, seen.checks),
  };
  const compared = checks.base?.failing === null ? comparisonOf(board, thread, checks) : [];
  const after = { ...thread, forge: compared.reduce(withBase, afterChecks(forge, checks)) };
  const events = [reported, ...compared];
  const when = { ...now, seq: board.seq + events.length + 1 };
  const isNews = before?.is !== checks.is;
  return decide(thread.id, [...events, ...(isNews ? followUp(board, after, when) : [])]);
}

function checksFrom(commit: string, before: Checks | null, seen: CheckSighting): Checks {
  const rerun = before?.rerun;
  const timing = { ...seen.timing, rerun };
  const result = resultOf(seen.checks, timing);
  const names = seen.checks.map(({ name }) => name);
  const missing = seen.required.filter((name) => !names.includes(name)).sort();
  const isWaiting = missing.length > 0 && result.is === 'green' && !isOverdue(timing);
  return {
    commit,
    ...result,
    ...(isWaiting && { is: 'pending' }),
    ...(seen.base && { base: seen.base }),
    ...(seen.tree !== null && result.is === 'red' && { tree: seen.tree }),
    ...(rerun && { rerun }),
    ...(missing.length > 0 && { missing }),
  };
}

/** A check that failed and passes now, on the same commit, is flaky: the next time the hall tries it again. */
function withFlaked(before: Checks | null, checks: readonly ForgeCheck[]) {
  const failed = [...(before?.failing ?? []), ...(before?.rerun?.names ?? [])];
  const passing = checks.filter(({ is }) => is === 'green').map(({ name }) => name);
  const flaked = passing.filter((name) => failed.includes(name));
  return flaked.length === 0 ? {} : { flaked };
}

/** The checks that a commit lacks should have started by now. */
function isOverdue({ pushedAt, ciWait, now }: Timing): boolean {
  return now - pushedAt >= ciWait;
}
