import type { ApprovalId, Fence, Instant, RunId, TaskId, WorkerId } from './ids.ts';

/** A tool call that waits for a person, or that a person answered during its run. */
export interface Approval {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly task: TaskId;
  readonly project: string;
  readonly worker: WorkerId;
  readonly fence: Fence;
  readonly tool: string;
  /** With secrets redacted. The hash covers the original command. */
  readonly command: string;
  /** Covers command, folder, run, fence and the scripts it touches: what is approved is what runs. */
  readonly hash: string;
  readonly cwd: string;
  readonly worktree: string;
  /** The parsed command: one part per line, indented by depth. */
  readonly tree: readonly string[];
  readonly because: string;
  readonly rule: string;
  /** Shown with the request; the answer must repeat it. */
  readonly nonce: string;
  readonly askedAt: Instant;
  readonly answer: ApprovalAnswer | null;
  /** An approval covers one call. */
  readonly usedAt: Instant | null;
}

/** Where a command is accepted from now on, besides the one call. */
export const PROMOTIONS = ['project', 'global'] as const;

export const APPROVAL_ANSWERS = ['approved', 'denied', 'expired'] as const;

export interface ApprovalAnswer {
  readonly how: (typeof APPROVAL_ANSWERS)[number];
  readonly by: string;
  readonly at: Instant;
  readonly because: string | null;
}

export type RequestedApproval = Omit<Approval, 'askedAt' | 'answer' | 'usedAt'>;

export function isOpenApproval({ answer }: Approval): boolean {
  return answer === null;
}
