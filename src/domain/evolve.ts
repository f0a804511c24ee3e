import type { Board } from './board.ts';
import { evolveBaseResults } from './checking/base-results.ts';
import type { HallEvent, Recorded } from './event.ts';
import { evolveApproval } from './evolve-approval.ts';
import { evolveForge } from './evolve-forge.ts';
import { evolvePool } from './evolve-pool.ts';
import { evolveRun } from './evolve-run.ts';
import { evolveSecrets } from './evolve-secrets.ts';
import { evolveThread } from './evolve-thread.ts';
import { evolveForges } from './forge/connected-forges.ts';
import { evolveIssues } from './forge/issue-record.ts';
import { evolveLooks } from './forge/look.ts';
import { evolveReplies } from './forge/reply.ts';
import type { Row } from './row.ts';
import { evolveSources } from './sources/item.ts';

/**
 * The only fold. It builds the hall's memory, its tables, its followers, the simulation and past
 * boards: the board is exactly what this makes of the events.
 */
export function evolve(board: Board, recorded: Recorded): readonly Row[] {
  board.advance(recorded.seq);
  return [...rowsOf(board, recorded.event, recorded)];
}

function rowsOf(board: Board, event: HallEvent, recorded: Recorded): readonly Row[] {
  switch (event.type) {
    case 'HallPaused':
    case 'HallResumed':
    case 'HallDraining':
    case 'HallRestored':
      board.setHall(event.hall);
      board.wakeups.all = true;
      return [{ table: 'hall', key: 'hall', row: event.hall }];
    case 'QuotaWindowOpened':
    case 'ProjectSet':
    case 'ProjectPaused':
    case 'ProjectResumed':
    case 'ProjectRemoved':
    case 'TypeSet':
    case 'TypeRemoved':
    case 'PersonaSet':
    case 'PersonaRemoved':
    case 'InstanceSet':
    case 'InstanceRemoved':
    case 'InvokerSet':
    case 'InvokerRemoved':
    case 'InvokerParked':
    case 'InvokerUnparked':
    case 'InvokerCredentialMissing':
    case 'InvokerCredentialFound':
    case 'TokenCreated':
    case 'TokenRevoked':
      return evolvePool(board, event);
    case 'SecretSet':
    case 'SecretRemoved':
    case 'PreviousSecretRemoved':
    case 'SecretsRotated':
      return evolveSecrets(board, event);
    case 'BaseChecksReported':
    case 'BaseChecksForgotten':
      return evolveBaseResults(board, event);
    case 'RuleSet':
    case 'RuleRemoved':
    case 'ApprovalRequested':
    case 'ApprovalAnswered':
    case 'ApprovalUsed':
      return evolveApproval(board, event, recorded);
    default:
      return rowsOfOutside(board, event, recorded);
  }
}

type Outside = Exclude<
  HallEvent,
  | Parameters<typeof evolvePool>[1]
  | Parameters<typeof evolveSecrets>[1]
  | Parameters<typeof evolveApproval>[1]
  | Parameters<typeof evolveBaseResults>[1]
  | { readonly hall: unknown }
>;

/** What the hall knows about forges and task sources. */
function rowsOfOutside(board: Board, event: Outside, recorded: Recorded): readonly Row[] {
  switch (event.type) {
    case 'ForgeConnected':
    case 'ForgeDisconnected':
      return evolveForges(board, event);
    case 'LookRequested':
    case 'LookDone':
    case 'RepositoryRead':
      return evolveLooks(board, event);
    case 'IssueSeen':
    case 'IssueForgotten':
      return evolveIssues(board, event);
    case 'ReplyQueued':
    case 'ReplySent':
      return evolveReplies(board, event);
    case 'SourceRead':
    case 'SourceFailed':
    case 'SourceForgotten':
    case 'SourceItemSeen':
    case 'SourceItemForgotten':
    case 'SourceItemNoted':
      return evolveSources(board, event, recorded);
    default:
      return rowsOfWork(board, event, recorded);
  }
}

type Work = Exclude<
  Outside,
  | Parameters<typeof evolveForges>[1]
  | Parameters<typeof evolveIssues>[1]
  | Parameters<typeof evolveLooks>[1]
  | Parameters<typeof evolveReplies>[1]
  | Parameters<typeof evolveSources>[1]
>;

function rowsOfWork(board: Board, event: Work, recorded: Recorded) {
  switch (event.type) {
    case 'PullRequestMerged':
    case 'PullRequestClosed':
    case 'PullRequestOpened':
    case 'ForgeWritten':
    case 'ChecksReported':
    case 'ChecksRerun':
    case 'ChecksCompared':
    case 'BranchUpdated':
    case 'ReviewGiven':
    case 'ReviewDismissed':
    case 'MergeRequested':
    case 'MergeConflicted':
      return evolveForge(board, event, recorded);
    case 'ThreadReopened':
    case 'ThreadChanged':
    case 'ThreadDone':
    case 'TaskPosted':
    case 'TaskEdited':
    case 'TaskApproved':
    case 'TaskBlocked':
    case 'TaskUnblocked':
    case 'TaskDue':
    case 'TaskRetried':
    case 'TaskCancelled':
    case 'TaskAnswered':
    case 'LabelWaitExpired':
    case 'LabelsUnmatched':
      return evolveThread(board, event, recorded);
    case 'WorkerRegistered':
    case 'WorkerDraining':
    case 'WorkerDeregistered':
    case 'RunClaimed':
    case 'RunStarted':
    case 'RunAwaitingApproval':
    case 'RunResumed':
    case 'TargetExceeded':
    case 'UsageRecorded':
    case 'NoteAdded':
    case 'RunEnded':
      return evolveRun(board, event, recorded);
  }
}
