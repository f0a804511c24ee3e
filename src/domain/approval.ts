import type { ApprovalId, Fence, Instant, RunId, TaskId, WorkerId } from './ids.ts';

/** A call of a tool that waits for a person, or was answered by one while its run goes on. */
export interface Approval {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly task: TaskId;
  readonly project: string;
  readonly worker: WorkerId;
  readonly fence: Fence;
  readonly tool: string;
  /** Without secrets; the hash is of what was really asked. */
  readonly command: string;
  /** Of command, folder, run, fence and the scripts it touches: what is approved is what runs. */
  readonly hash: string;
  readonly cwd: string;
  readonly worktree: string;
  /** The command as it was read: every part on a line, as deep as it stands. */
  readonly tree: readonly string[];
  readonly because: string;
  readonly rule: string;
  /** Shown to whoever may answer, and asked back with the answer. */
  readonly nonce: string;
  readonly askedAt: Instant;
  readonly answer: ApprovalAnswer | null;
  /** An approval lets one call through. */
  readonly usedAt: Instant | null;
}

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
