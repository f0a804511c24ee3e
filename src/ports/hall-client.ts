import type { Brief } from '../domain/brief.ts';
import type { CompletedOutcome, REPORTED_FAILURES, Rejection } from '../domain/task.ts';
import type { Verdict } from '../domain/thread.ts';
import type { Session } from './agent.ts';

/**
 * The hall, as a worker sees it. Every call is made until it is answered, under one key, so that a
 * hall which was away for a moment does a thing once. Throws `LeaseLost` when a run is not this
 * worker's any more, `Dismissed` when the hall does not know the worker, `NotTaken` when it refuses what
 * it is told, `HallSilent` when no answer came for as long as the hall itself would wait for the worker.
 */
export interface HallClient {
  /** The next task; null when there was none to take. */
  claim(waitSeconds: number, stop: AbortSignal): Promise<Assignment | null>;
  brief(lease: RunLease): Promise<BriefedRun>;
  start(lease: RunLease): Promise<void>;
  log(lease: RunLease, entries: readonly string[]): Promise<void>;
  note(lease: RunLease, text: string): Promise<void>;
  /**
   * Whether a call of a tool may be made. May take as long as a person needs to answer; what the call
   * would run is looked at again after that, so that what was approved is what runs.
   */
  checkToolCall(
    lease: RunLease,
    look: () => CommandCall,
    stop: AbortSignal,
  ): Promise<ToolPermission>;
  keepSession(lease: RunLease, session: Session): Promise<void>;
  ask(lease: RunLease, question: string, session: string | null): Promise<void>;
  /** Whether the run is still this worker's, by the hall's own word of now. */
  confirm(lease: RunLease): Promise<void>;
  report(lease: RunLease, said: WorkReport): Promise<void>;
  /** The worker goes, and what it has goes back to the board. */
  deregister(because: string): Promise<void>;
  /** The same after a fault: the task goes back as one that has cost a worker. */
  fail(because: string): Promise<void>;
}

/** A run and the fence it was given. */
export interface RunLease {
  readonly run: string;
  readonly fence: number;
}

export interface Assignment extends RunLease {
  readonly task: string;
  readonly skill: string;
  readonly project: string;
}

export interface BriefedRun {
  readonly brief: Brief;
  readonly session: Session | null;
}

export interface CommandCall {
  readonly tool: string;
  readonly command: string;
  readonly cwd: string;
  /** The root of the work tree, as the agent sees it. */
  readonly worktree: string;
  /** Words of the command that lead elsewhere through links, with where they lead. */
  readonly links: Readonly<Record<string, string>>;
  /** Files of the workspace that it would run, with a hash of what is in them. */
  readonly scripts: Readonly<Record<string, string>>;
}

export type ToolPermission =
  | { readonly may: true }
  | { readonly may: false; readonly because: string };

/** A worker's last word on a run. */
export type WorkReport =
  | {
      readonly outcome: CompletedOutcome;
      readonly summary: string;
      readonly details: string | null;
      readonly branch: string | null;
      readonly commit: string | null;
      readonly verdict: Verdict['is'] | null;
      readonly agent: string | null;
      readonly children: readonly ProposedChild[];
    }
  | {
      readonly outcome: (typeof REPORTED_FAILURES)[number];
      readonly summary: string;
      readonly details: string | null;
      readonly branch: string | null;
      readonly commit: string | null;
    }
  | {
      readonly outcome: 'quota_exceeded';
      readonly summary: string;
      readonly resetsAt: number | null;
    }
  | { readonly outcome: 'rejected'; readonly rejection: Rejection };

export interface ProposedChild {
  readonly ref: string | null;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly dependsOn: readonly string[];
}

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export class WorkerDismissed extends Error {
  override readonly name = 'WorkerDismissed';
}

/** The hall read what it was told, and did not take it. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

export class HallUnresponsive extends Error {
  override readonly name = 'HallUnresponsive';
}
