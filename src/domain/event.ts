import type { ApprovalAnswer, RequestedApproval } from './approval.ts';
import type { ConnectedForge } from './forge/connected-forges.ts';
import type { IssueRecord } from './forge/issue-record.ts';
import type { RequestedLook } from './forge/look.ts';
import type { Reply } from './forge/reply.ts';
import type { Hall } from './hall.ts';
import type {
  ApprovalId,
  Duration,
  Fence,
  Instant,
  RuleId,
  RunId,
  TaskId,
  ThreadId,
  WorkerId,
} from './ids.ts';
import type { Persona } from './persona.ts';
import type { AgentType, Instance } from './pool.ts';
import type { Pause, Project } from './project.ts';
import type { Invoker } from './quota.ts';
import type { Ending, Usage } from './run.ts';
import type { Secret } from './secret.ts';
import type { Size } from './size.ts';
import type { ItemRecord, SourceRecord } from './sources/item.ts';
import type { Task, TaskState } from './task.ts';
import type {
  BranchBase,
  Checks,
  IssueLink,
  PersonsVerdict,
  Rerun,
  Thread,
  Verdict,
  Written,
} from './thread.ts';
import type { Token } from './token.ts';
import type { Rule } from './tool-policy/rule.ts';
import type { Worker } from './worker.ts';

/** Every change the board can record. The board is the fold of these events and of nothing else. */
export type HallEvent =
  | {
      readonly type: 'HallPaused' | 'HallResumed' | 'HallDraining' | 'HallRestored';
      readonly hall: Hall;
    }
  | { readonly type: 'QuotaWindowOpened'; readonly window: number }
  | { readonly type: 'ProjectSet'; readonly project: Project }
  | { readonly type: 'ProjectPaused'; readonly project: string; readonly pause: Pause }
  | { readonly type: 'ProjectResumed'; readonly project: string }
  | { readonly type: 'ProjectRemoved'; readonly project: string }
  | { readonly type: 'ForgeConnected'; readonly forge: ConnectedForge }
  | { readonly type: 'ForgeDisconnected'; readonly forge: string }
  | { readonly type: 'LookRequested'; readonly look: RequestedLook }
  | { readonly type: 'LookDone'; readonly look: string }
  | { readonly type: 'IssueSeen'; readonly issue: IssueRecord }
  | { readonly type: 'IssueForgotten'; readonly issue: string }
  /** Changes of a repository up to this cursor of its forge were looked at. */
  | { readonly type: 'RepositoryRead'; readonly repo: string; readonly cursor: string }
  | { readonly type: 'ReplyQueued'; readonly reply: Reply }
  | { readonly type: 'ReplySent'; readonly reply: string }
  | { readonly type: 'SourceRead' | 'SourceFailed'; readonly source: SourceRecord }
  | { readonly type: 'SourceForgotten'; readonly source: string }
  | { readonly type: 'SourceItemSeen'; readonly item: ItemRecord }
  | { readonly type: 'SourceItemForgotten'; readonly item: string }
  /** What happened to the item of a thread that agents work on. */
  | { readonly type: 'SourceItemNoted'; readonly thread: ThreadId; readonly text: string }
  | { readonly type: 'TypeSet'; readonly agentType: AgentType }
  | { readonly type: 'TypeRemoved'; readonly agentType: string }
  | { readonly type: 'PersonaSet'; readonly persona: Persona }
  | { readonly type: 'PersonaRemoved'; readonly persona: string }
  | { readonly type: 'InstanceSet'; readonly instance: Instance }
  | { readonly type: 'InstanceRemoved'; readonly instance: string }
  | { readonly type: 'InvokerSet'; readonly invoker: Invoker }
  | { readonly type: 'InvokerRemoved'; readonly invoker: string }
  | {
      readonly type: 'InvokerParked';
      readonly invoker: string;
      readonly until: Instant;
      readonly because: string;
    }
  | { readonly type: 'InvokerUnparked'; readonly invoker: string }
  /** The hall cannot read the credential that it would pay with. */
  | {
      readonly type: 'InvokerCredentialMissing';
      readonly invoker: string;
      readonly because: string;
    }
  | { readonly type: 'InvokerCredentialFound'; readonly invoker: string }
  | { readonly type: 'TokenCreated'; readonly token: Token }
  | { readonly type: 'TokenRevoked'; readonly token: string }
  | { readonly type: 'SecretSet'; readonly secret: Secret }
  | { readonly type: 'SecretRemoved' | 'PreviousSecretRemoved'; readonly secret: string }
  /** All secrets were encrypted again, with another key. */
  | {
      readonly type: 'SecretsRotated';
      readonly key: string;
      readonly secrets: readonly string[];
    }
  | { readonly type: 'ThreadReopened'; readonly thread: Thread }
  | { readonly type: 'ThreadChanged'; readonly thread: ThreadId; readonly change: ThreadChange }
  | { readonly type: 'ThreadDone'; readonly thread: ThreadId }
  | {
      readonly type: 'PullRequestMerged';
      readonly thread: ThreadId;
      /** Merged without the approval that the policy otherwise asks for. */
      readonly forced?: true | undefined;
    }
  | { readonly type: 'PullRequestClosed'; readonly thread: ThreadId }
  /** The forge has the pull request of a thread: the hall opened it, or found it there. */
  | {
      readonly type: 'PullRequestOpened';
      readonly thread: ThreadId;
      readonly pr: { readonly number: number; readonly url: string };
    }
  /** The hall wrote what the forge shows of a thread. */
  | { readonly type: 'ForgeWritten'; readonly thread: ThreadId; readonly written: Written }
  | {
      readonly type: 'ChecksReported';
      readonly thread: ThreadId;
      readonly checks: Checks;
      /** The last output of the failing checks. */
      readonly excerpt: string;
      /** Checks that passed now and failed before on the same commit. */
      readonly flaked?: readonly string[];
    }
  /** Flaky checks were started once more, or cannot be. */
  | { readonly type: 'ChecksRerun'; readonly thread: ThreadId; readonly rerun: Rerun }
  /** The checks of a commit of the base branch, which all branches that start there share. */
  | {
      readonly type: 'BaseChecksReported';
      readonly project: string;
      readonly commit: string;
      readonly failing: readonly string[];
      readonly excerpt: string;
    }
  /** The next comparison with this commit runs its checks again. */
  | { readonly type: 'BaseChecksForgotten'; readonly project: string; readonly commit: string }
  | {
      readonly type: 'ChecksCompared';
      readonly thread: ThreadId;
      readonly base: BranchBase;
      /** The output on the base, if a check fails there and on the branch. */
      readonly excerpt: string;
    }
  /** The host moved the branch onto a newer base, or found that a person had pushed to it. */
  | { readonly type: 'BranchUpdated'; readonly thread: ThreadId; readonly commit: string }
  | {
      readonly type: 'ReviewGiven';
      readonly thread: ThreadId;
      readonly verdict: Verdict | PersonsVerdict;
      readonly text: string;
    }
  /** A person's review on the forge was dismissed there. */
  | { readonly type: 'ReviewDismissed'; readonly thread: ThreadId; readonly account: number }
  /** Null withdraws the request. */
  | { readonly type: 'MergeRequested'; readonly thread: ThreadId; readonly by: string | null }
  | {
      readonly type: 'MergeConflicted';
      readonly thread: ThreadId;
      readonly commit: string;
      readonly files: readonly string[];
    }
  | {
      readonly type: 'TaskPosted';
      readonly task: PostedTask;
      /** The thread that the task opens, with the same number; null when it joins an existing one. */
      readonly opens: OpenedThread | null;
    }
  | { readonly type: 'TaskEdited'; readonly task: TaskId; readonly change: TaskChange }
  | {
      readonly type:
        | 'TaskApproved'
        | 'TaskBlocked'
        | 'TaskUnblocked'
        | 'TaskDue'
        | 'TaskRetried'
        | 'TaskCancelled';
      readonly task: TaskId;
      readonly state: TaskState;
    }
  | {
      readonly type: 'TaskAnswered';
      readonly task: TaskId;
      readonly state: TaskState;
      readonly answer: string;
    }
  | { readonly type: 'LabelWaitExpired'; readonly task: TaskId }
  | { readonly type: 'LabelsUnmatched'; readonly task: TaskId; readonly because: string }
  | {
      readonly type: 'WorkerRegistered';
      readonly worker: Omit<Worker, 'deregistered' | 'draining'>;
    }
  | { readonly type: 'WorkerDraining'; readonly worker: WorkerId }
  | { readonly type: 'WorkerDeregistered'; readonly worker: WorkerId; readonly because: string }
  | { readonly type: 'RunClaimed'; readonly run: ClaimedRun }
  | {
      readonly type: 'RunStarted' | 'RunAwaitingApproval' | 'RunResumed' | 'TargetExceeded';
      readonly run: RunId;
    }
  | { readonly type: 'RuleSet'; readonly rule: Rule }
  | { readonly type: 'RuleRemoved'; readonly rule: RuleId }
  | {
      readonly type: 'ApprovalRequested';
      readonly run: RunId;
      readonly approval: RequestedApproval;
    }
  | {
      readonly type: 'ApprovalAnswered';
      readonly run: RunId;
      readonly task: TaskId;
      readonly project: string;
      readonly approval: ApprovalId;
      readonly answer: ApprovalAnswer;
    }
  | {
      readonly type: 'ApprovalUsed';
      readonly run: RunId;
      readonly task: TaskId;
      readonly project: string;
      readonly approval: ApprovalId;
    }
  | { readonly type: 'UsageRecorded'; readonly run: RunId; readonly usage: Usage }
  | { readonly type: 'NoteAdded'; readonly run: RunId; readonly note: string }
  | {
      readonly type: 'RunEnded';
      readonly run: RunId;
      readonly ending: Ending;
      readonly task: TaskState;
      /** The run's end completes the thread. */
      readonly done?: true;
    };

export type EventType = HallEvent['type'];

export interface OpenedThread
  extends Pick<Thread, 'labels' | 'size' | 'agent' | 'dependsOn' | 'blockedBy' | 'parent'> {
  /** Absent for threads without an issue on a connected forge. */
  readonly issue?: IssueLink;
}

export interface ThreadChange {
  readonly labels?: readonly string[];
  readonly size?: Size;
  /** The slug that the thread is bound to from now on. */
  readonly agent?: string;
  readonly dependsOn?: readonly ThreadId[];
  readonly blockedBy?: readonly ThreadId[];
  readonly handedOver?: Pause | null;
  /** Resets the counts of review rounds and failed checks to zero. */
  readonly resetCounters?: true;
  /** Discards the result of the checks, so that they run again. */
  readonly recheck?: true;
  readonly title?: string;
}

export interface PostedTask extends Omit<Task, 'postedAt' | 'crashes' | 'labelWaitExpired'> {
  readonly title: string;
  readonly body: string;
}

export interface TaskChange {
  readonly title?: string;
  readonly body?: string;
  readonly skill?: string;
  readonly type?: string;
  readonly instance?: string | null;
  readonly agent?: string;
}

export interface ClaimedRun {
  readonly id: RunId;
  readonly task: TaskId;
  readonly worker: WorkerId;
  readonly fence: Fence;
  readonly invoker: string | null;
  readonly credits: number;
  /** Absent in events of versions without targets. */
  readonly target?: Duration;
  readonly limit: Duration;
}

/** An event as stored in the log. */
export interface Recorded {
  readonly seq: number;
  readonly at: Instant;
  readonly actor: string;
  readonly cause: string;
  readonly event: HallEvent;
}
