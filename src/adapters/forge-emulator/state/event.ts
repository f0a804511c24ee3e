import type {
  Account,
  CheckRun,
  CheckSuite,
  Comment,
  Hook,
  Installation,
  Issue,
  Label,
  Repository,
  Review,
  Status,
  WorkflowJob,
  WorkflowRun,
} from './model.ts';

/** Something that hooks hear of. A dialect makes one delivery of it, several or none. */
export type ForgeEvent = { readonly sender: Account; readonly repository: Repository } & (
  | {
      readonly is: 'issue_changed';
      readonly issue: Issue;
      readonly action: IssueAction;
      /** The merge that closed it. */
      readonly commit?: string;
    }
  | { readonly is: 'edited'; readonly issue: Issue; readonly from: EditedFrom }
  | { readonly is: 'labels_changed'; readonly issue: Issue; readonly labels: LabelChange }
  | {
      readonly is: 'assignee_changed';
      readonly issue: Issue;
      readonly assignee: Account;
      readonly isAdded: boolean;
    }
  | {
      readonly is: 'comment_changed';
      readonly comment: Comment;
      readonly action: 'created' | 'edited' | 'deleted';
      readonly from: string;
    }
  | { readonly is: 'head_moved'; readonly issue: Issue; readonly before: string }
  | {
      readonly is: 'reviewer_changed';
      readonly issue: Issue;
      readonly reviewer: Account;
      readonly isAdded: boolean;
    }
  | {
      readonly is: 'reviewed';
      readonly issue: Issue;
      readonly review: Review;
      readonly action: 'submitted' | 'dismissed';
    }
  | { readonly is: 'pushed'; readonly push: Push }
  | { readonly is: 'status_set'; readonly status: Status }
  | {
      readonly is: 'check_run_changed';
      readonly run: CheckRun;
      readonly action: 'created' | 'completed' | 'rerequested';
    }
  | { readonly is: 'check_suite_changed'; readonly suite: CheckSuite }
  | {
      readonly is: 'workflow_run_changed';
      readonly run: WorkflowRun;
      readonly action: 'requested' | 'in_progress' | 'completed';
      /** How the run before on this branch and workflow ended. */
      readonly previously: string | null;
    }
  | {
      readonly is: 'workflow_job_changed';
      readonly job: WorkflowJob;
      readonly action: 'queued' | 'in_progress' | 'completed';
    }
  | { readonly is: 'sub_issue_added'; readonly issue: Issue; readonly parent: Issue }
  | { readonly is: 'repository_renamed'; readonly from: string }
  | { readonly is: 'installed'; readonly installation: Installation }
  | { readonly is: 'pinged'; readonly hook: Hook }
);

type IssueAction = 'opened' | 'closed' | 'reopened' | 'deleted';

export interface EditedFrom {
  readonly title?: string;
  readonly body?: string;
  readonly base?: string;
}

interface LabelChange {
  readonly added: readonly Label[];
  readonly removed: readonly Label[];
  readonly isReplacement: boolean;
}

export interface Push {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly isForced: boolean;
  readonly commits: readonly PushedCommit[];
}

export interface PushedCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly committerName: string;
  readonly committerEmail: string;
  readonly at: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly modified: readonly string[];
}

/** What git says of a branch that is not there. */
export const NO_COMMIT: string = '0'.repeat(40);
