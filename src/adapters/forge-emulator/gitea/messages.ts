import type { Urls } from '../http/answer.ts';
import type { Message, MessagePlace } from '../http/dialect.ts';
import { type ForgeEvent, NO_COMMIT } from '../state/event.ts';
import type { Issue, PullIssue, ReviewState } from '../state/model.ts';
import { actionMessages } from './action-messages.ts';
import { showUser, showUserOrNull } from './show-accounts.ts';
import { showComment, showIssue } from './show-issues.ts';
import { showPull } from './show-pulls.ts';
import { pageUrl, showCommit, showRepository } from './show-repositories.ts';

/** The event, its finer type, its action, and what the payload has besides what all have. */
export type GiteaBody = readonly [
  event: string,
  type: string,
  action: string | null,
  facts: object,
];

/** What Gitea sends: one message for all labels that changed, and one each for title and body. */
export function giteaMessages(
  isForgejo: boolean,
  event: ForgeEvent,
  { urls }: MessagePlace,
): Message[] {
  const common = {
    repository: showRepository(event.repository, urls, 'admin'),
    sender: showUser(event.sender, urls),
  };
  return bodiesOf(isForgejo, event, urls).map(([name, type, action, facts]) => ({
    event: name,
    type,
    action,
    payload: { ...(action === null ? {} : { action }), ...common, ...facts },
  }));
}

function bodiesOf(isForgejo: boolean, event: ForgeEvent, urls: Urls): GiteaBody[] {
  switch (event.is) {
    case 'issue_changed': {
      const { issue, action, commit = '' } = event;
      return [[nameOf(issue), nameOf(issue), action, { ...about(issue, urls), commit_id: commit }]];
    }
    case 'edited':
      return editBodies(event, urls);
    case 'labels_changed': {
      const { issue, labels } = event;
      const type = issue.pull ? 'pull_request_label' : 'issue_label';
      // After a replacement the list in the payload is empty, whatever the issue has.
      const shown = labels.isReplacement ? { ...issue, labels: [] } : issue;
      return [[nameOf(issue), type, 'label_updated', about(shown, urls)]];
    }
    case 'assignee_changed': {
      const { issue, isAdded } = event;
      const type = issue.pull ? 'pull_request_assign' : 'issue_assign';
      return [[nameOf(issue), type, isAdded ? 'assigned' : 'unassigned', about(issue, urls)]];
    }
    case 'comment_changed':
      return [commentBody(event, urls)];
    case 'head_moved':
      return [['pull_request', 'pull_request_sync', 'synchronized', about(event.issue, urls)]];
    case 'reviewer_changed': {
      const action = event.isAdded ? 'review_requested' : 'review_request_removed';
      const facts = {
        ...about(event.issue, urls),
        requested_reviewer: showUser(event.reviewer, urls),
      };
      return [['pull_request', 'pull_request_review_request', action, facts]];
    }
    case 'reviewed':
      return event.action === 'submitted' ? [reviewBody(event, urls)] : [];
    case 'pushed':
      return pushBodies(event, urls);
    case 'pinged':
      return [testBody(event, urls)];
    default:
      return actionMessages(isForgejo, event, urls);
  }
}

function nameOf({ pull }: Issue): string {
  return pull ? 'pull_request' : 'issues';
}

function about(issue: Issue, urls: Urls): object {
  const { number } = issue;
  if (!issue.pull) return { number, issue: showIssue(issue, urls), commit_id: '' };
  const pull_request = showPull(issue as PullIssue, urls);
  return { number, pull_request, requested_reviewer: null, commit_id: '', review: null };
}

function editBodies(
  { issue, from }: Extract<ForgeEvent, { is: 'edited' }>,
  urls: Urls,
): GiteaBody[] {
  const changed = Object.entries(from).map(([field, before]) => ({
    ...about(issue, urls),
    changes: {
      [field === 'base' ? 'ref' : field]: { from: before },
      added_labels: null,
      removed_labels: null,
    },
  }));
  return changed.map((facts) => [nameOf(issue), nameOf(issue), 'edited', facts]);
}

function commentBody(
  { comment, action, from }: Extract<ForgeEvent, { is: 'comment_changed' }>,
  urls: Urls,
): GiteaBody {
  const { issue } = comment;
  const changes = { body: { from }, added_labels: null, removed_labels: null };
  const facts = {
    issue: showIssue(issue, urls),
    ...(issue.pull ? { pull_request: showPull(issue as PullIssue, urls) } : {}),
    comment: showComment(comment, urls),
    ...(action === 'edited' ? { changes } : {}),
    is_pull: issue.pull !== null,
  };
  return ['issue_comment', issue.pull ? 'pull_request_comment' : 'issue_comment', action, facts];
}

const REVIEWS: Readonly<Record<ReviewState, readonly [string, string]>> = {
  approved: ['pull_request_approved', 'pull_request_review_approved'],
  changes_requested: ['pull_request_rejected', 'pull_request_review_rejected'],
  commented: ['pull_request_comment', 'pull_request_review_comment'],
  pending: ['pull_request_comment', 'pull_request_review_comment'],
};

/** Neither the id of the review nor its commit is in it. */
function reviewBody(
  { issue, review }: Extract<ForgeEvent, { is: 'reviewed' }>,
  urls: Urls,
): GiteaBody {
  const [event, type] = REVIEWS[review.state];
  const facts = {
    ...about(issue, urls),
    requested_reviewer: showUserOrNull(review.author, urls),
    review: { type, content: review.body },
  };
  return [event, type, 'reviewed', facts];
}

/** A hook is tried with a push of the commit that is there. */
function testBody({ repository, sender }: ForgeEvent, urls: Urls): GiteaBody {
  const { branches, defaultBranch, commits } = repository;
  const tip = branches.get(defaultBranch) ?? NO_COMMIT;
  const shown = [commits.get(tip)].flatMap((commit) =>
    commit ? [showCommit(repository, commit, urls)] : [],
  );
  const facts = {
    ...{ ref: `refs/heads/${defaultBranch}`, before: tip, after: tip, commits: shown },
    compare_url: `${pageUrl(repository, urls)}/compare/${tip}...${tip}`,
    ...{ total_commits: shown.length, head_commit: shown[0] ?? null },
    pusher: showUser(sender, urls),
  };
  return ['push', 'push', null, facts];
}

function pushBodies(
  { repository, sender, push }: Extract<ForgeEvent, { is: 'pushed' }>,
  urls: Urls,
): GiteaBody[] {
  const { ref, before, after } = push;
  const branch = ref.replace('refs/heads/', '');
  if (after === NO_COMMIT) {
    return [['delete', 'delete', null, { ref: branch, ref_type: 'branch', pusher_type: 'user' }]];
  }
  const commits = push.commits.map((commit) => showCommit(repository, commit, urls)).reverse();
  const facts = {
    ...{ ref, before, after, commits, total_commits: commits.length },
    compare_url: `${pageUrl(repository, urls)}/compare/${before}...${after}`,
    head_commit: commits[0] ?? null,
    pusher: showUser(sender, urls),
  };
  const created: GiteaBody = [
    'create',
    'create',
    null,
    { sha: after, ref: branch, ref_type: 'branch' },
  ];
  const pushed: GiteaBody = ['push', 'push', null, facts];
  return before === NO_COMMIT ? [created, pushed] : [pushed];
}
