import type { Duration, Fence, Instant, RunId, TaskId, ThreadId, WorkerId } from './ids.ts';
import type { CompletedOutcome, FailureReason, Held, Rejection } from './task.ts';
import type { Verdict } from './thread.ts';

/** One claim of a task by one worker. */
export interface Run {
  readonly id: RunId;
  readonly task: TaskId;
  readonly thread: ThreadId;
  readonly project: string;
  readonly worker: WorkerId;
  readonly instance: string;
  readonly agent: string;
  readonly writes: boolean;
  readonly fence: Fence;
  /** The invoker who pays, or null when the worker brings its own model. */
  readonly invoker: string | null;
  readonly credits: number;
  /** True once the model has responded: the reserved credits are then spent. */
  readonly committed: boolean;
  /** How long it should take, and when it is ended. Runs claimed by older versions have only a limit. */
  readonly target?: Duration;
  readonly limit: Duration;
  readonly claimedAt: Instant;
  readonly startedAt: Instant | null;
  /** Since when it has been waiting for a person to approve a tool call; null while it works. */
  readonly awaitingApprovalSince: Instant | null;
  /** Since when it has worked for longer than its target; null before that. */
  readonly overTargetSince: Instant | null;
  readonly usage: Usage;
  readonly ending: Ending | null;
}

/** The state of a task while this run holds it. */
export function stateHeldBy({
  id,
  claimedAt,
  startedAt,
  awaitingApprovalSince,
}: Pick<Run, 'id' | 'claimedAt' | 'startedAt' | 'awaitingApprovalSince'>): Held {
  if (startedAt === null) return { is: 'claimed', since: claimedAt, run: id };
  return awaitingApprovalSince === null
    ? { is: 'running', since: startedAt, run: id }
    : { is: 'awaiting_approval', since: awaitingApprovalSince, run: id };
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly turns: number;
  readonly costUsd: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, turns: 0, costUsd: 0 };

/** How a run ended. The hall sets `lost`, `released` and `cancelled`; the worker reports the others. */
export type Ending = { readonly at: Instant } & (
  | { readonly how: 'completed'; readonly outcome: CompletedOutcome; readonly result: Result }
  | { readonly how: 'failed'; readonly reason: FailureReason; readonly result: Result }
  | { readonly how: 'rejected'; readonly rejection: Rejection }
  | { readonly how: 'asked'; readonly question: string; readonly session: string | null }
  | { readonly how: 'deferred'; readonly until: Instant; readonly why: string }
  | { readonly how: 'lost' | 'released' | 'cancelled'; readonly because: string }
);

export const ENDINGS = [
  'completed',
  'failed',
  'rejected',
  'asked',
  'deferred',
  'lost',
  'released',
  'cancelled',
] as const satisfies readonly Ending['how'][];

/** What a worker reports as its result. */
export interface Result {
  readonly summary: string;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly pr: { readonly number: number; readonly url: string } | null;
  readonly details: string | null;
  /** The hall opens the pull request of `branch` on the forge. */
  readonly opensPullRequest?: true;
  /** The verdict of a review on `commit`. */
  readonly verdict?: Verdict['is'];
}
