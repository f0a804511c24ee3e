import type { Brief } from '../domain/brief.ts';
import type { Env } from '../domain/env.ts';
import type { CompletedOutcome, REPORTED_FAILURES, Rejection } from '../domain/task.ts';
import type { Verdict } from '../domain/thread.ts';
import type { Session } from './agent.ts';
import type { Repository } from './workspace.ts';

/**
 * The hall, as a worker sees it. The client retries a call under one idempotency key until the hall
 * answers, so an interruption never repeats an action. Throws `LeaseLost` when the run no longer belongs
 * to this worker, `WorkerDismissed` when the hall does not know the worker, `RequestRefused` when it
 * refuses the request, `HallUnresponsive` after as much silence as the hall would accept from the worker.
 */
export interface HallClient {
  /** The next task; null when there was none. */
  claim(waitSeconds: number, stop: AbortSignal): Promise<Assignment | null>;
  brief(lease: RunLease): Promise<BriefedRun>;
  /** Where git fetches and pushes the repository of a run: through the hall, unless it is a folder. */
  repository(assignment: Assignment, repo: string): Repository;
  /** The values of the type's `secret_env`. From then on the client redacts them from what it sends. */
  secrets(lease: RunLease): Promise<Env>;
  start(lease: RunLease): Promise<void>;
  log(lease: RunLease, entries: readonly string[]): Promise<void>;
  note(lease: RunLease, text: string): Promise<void>;
  /**
   * Whether the agent may make a tool call. Waits for a person's answer if one is needed, then calls
   * `look` again, so the approved command is the one that runs.
   */
  checkToolCall(
    lease: RunLease,
    look: () => CommandCall,
    stop: AbortSignal,
  ): Promise<ToolPermission>;
  saveSession(lease: RunLease, session: Session): Promise<void>;
  ask(lease: RunLease, question: string, session: string | null): Promise<void>;
  /** Asks the hall whether the run still belongs to this worker. */
  confirm(lease: RunLease): Promise<void>;
  report(lease: RunLease, report: WorkReport): Promise<void>;
  /** Ends the registration; the worker's task goes back to the board. */
  deregister(because: string): Promise<void>;
  /** The same after a fault; the hall counts a crash against the task. */
  fail(because: string): Promise<void>;
}

/** A run and its fence. */
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
  /** Words of the command that resolve elsewhere through symbolic links, with their targets. */
  readonly links: Readonly<Record<string, string>>;
  /** Workspace files that the command would run, with hashes of their contents. */
  readonly scripts: Readonly<Record<string, string>>;
}

export type ToolPermission =
  | { readonly may: true }
  | { readonly may: false; readonly because: string };

/** How a run ended, as its worker reports it. */
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

/** The hall understood the request and refused it. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

export class HallUnresponsive extends Error {
  override readonly name = 'HallUnresponsive';
}
