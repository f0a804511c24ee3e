import type { Urls } from '../http/answer.ts';
import type { Message, MessagePlace } from '../http/dialect.ts';
import type { ForgeEvent } from '../state/event.ts';
import type { Issue, PullIssue } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { commitBodies } from './commit-messages.ts';
import { nodeId, showOrganization, showUser } from './show-accounts.ts';
import { showInstallation } from './show-apps.ts';
import { showComment, showIssue, showLabel } from './show-issues.ts';
import { showPull, showReview } from './show-pulls.ts';
import { showHook, showRepository } from './show-repositories.ts';

/** The event, its action, and what the payload has besides what all have. */
export type MessageBody = readonly [event: string, action: string | null, facts: object];

/** What GitHub sends for an event: one message for each label, and one for an edit of title and body. */
export function githubMessages(world: World, event: ForgeEvent, place: MessagePlace): Message[] {
  const { urls, installation } = place;
  const { repository, sender } = event;
  const common = {
    repository: showRepository(repository, urls),
    ...(repository.owner.kind === 'Organization'
      ? { organization: showOrganization(repository.owner, urls) }
      : {}),
    sender: showUser(sender, urls),
    ...(installation
      ? { installation: { id: installation.id, node_id: nodeId('Installation', installation.id) } }
      : {}),
  };
  return bodiesOf(world, event, urls).map(([name, action, facts]) => ({
    event: name,
    type: name,
    action,
    payload: { ...(action === null ? {} : { action }), ...common, ...facts },
  }));
}

function bodiesOf(world: World, event: ForgeEvent, urls: Urls): MessageBody[] {
  const { repository } = event;
  switch (event.is) {
    case 'issue_changed':
      return [[nameOf(event.issue), event.action, about(world, event.issue, urls)]];
    case 'edited':
      return [
        [
          nameOf(event.issue),
          'edited',
          { ...about(world, event.issue, urls), ...changes(event.from) },
        ],
      ];
    case 'labels_changed':
      return labelBodies(world, event, urls);
    case 'assignee_changed': {
      const action = event.isAdded ? 'assigned' : 'unassigned';
      const assignee = showUser(event.assignee, urls);
      return [[nameOf(event.issue), action, { ...about(world, event.issue, urls), assignee }]];
    }
    case 'comment_changed': {
      return [['issue_comment', event.action, commentFacts(world, event, urls)]];
    }
    case 'head_moved': {
      const { issue, before } = event;
      const moved = { before, after: issue.pull?.headSha ?? '' };
      return [['pull_request', 'synchronize', { ...about(world, issue, urls), ...moved }]];
    }
    case 'reviewer_changed': {
      const action = event.isAdded ? 'review_requested' : 'review_request_removed';
      const requested_reviewer = showUser(event.reviewer, urls);
      return [['pull_request', action, { ...about(world, event.issue, urls), requested_reviewer }]];
    }
    case 'reviewed':
      return [['pull_request_review', event.action, reviewFacts(world, event, urls)]];
    case 'sub_issue_added':
      return [['sub_issues', 'sub_issue_added', subIssueFacts(world, event, urls)]];
    case 'repository_renamed': {
      const changed = { changes: { repository: { name: { from: event.from } } } };
      return [['repository', 'renamed', changed]];
    }
    case 'installed': {
      const repositories = [{ id: repository.id, name: repository.name }];
      const installation = showInstallation(event.installation, urls);
      return [['installation', 'created', { installation, repositories }]];
    }
    case 'pinged': {
      const { hook } = event;
      const zen = 'Keep it logically awesome.';
      return [['ping', null, { zen, hook_id: hook.id, hook: showHook(repository, hook, urls) }]];
    }
    default:
      return commitBodies(event, urls);
  }
}

function nameOf({ pull }: Issue): string {
  return pull ? 'pull_request' : 'issues';
}

function about(world: World, issue: Issue, urls: Urls): object {
  if (!issue.pull) return { issue: showIssue(world, issue, urls) };
  return { number: issue.number, pull_request: showPull(world, issue as PullIssue, urls) };
}

function changes(from: {
  readonly title?: string;
  readonly body?: string;
  readonly base?: string;
}) {
  return {
    changes: {
      ...(from.title === undefined ? {} : { title: { from: from.title } }),
      ...(from.body === undefined ? {} : { body: { from: from.body } }),
      ...(from.base === undefined ? {} : { base: { ref: { from: from.base } } }),
    },
  };
}

function labelBodies(
  world: World,
  { issue, labels }: Extract<ForgeEvent, { is: 'labels_changed' }>,
  urls: Urls,
): MessageBody[] {
  const bodies = (which: typeof labels.added, action: string) =>
    which.map((label): MessageBody => {
      const shown = showLabel(label, issue.repository, urls);
      return [nameOf(issue), action, { ...about(world, issue, urls), label: shown }];
    });
  return [...bodies(labels.removed, 'unlabeled'), ...bodies(labels.added, 'labeled')];
}

function commentFacts(
  world: World,
  { comment, action, from }: Extract<ForgeEvent, { is: 'comment_changed' }>,
  urls: Urls,
): object {
  return {
    issue: showIssue(world, comment.issue, urls),
    comment: showComment(world, comment, urls),
    ...(action === 'edited' ? { changes: { body: { from } } } : {}),
  };
}

function reviewFacts(
  world: World,
  { issue, review }: Extract<ForgeEvent, { is: 'reviewed' }>,
  urls: Urls,
): object {
  const shown = showReview(world, { issue, review }, urls);
  return {
    review: { ...shown, state: shown.state.toLowerCase() },
    pull_request: showPull(world, issue as PullIssue, urls),
  };
}

function subIssueFacts(
  world: World,
  { issue, parent }: Extract<ForgeEvent, { is: 'sub_issue_added' }>,
  urls: Urls,
): object {
  return {
    parent_issue_id: parent.id,
    parent_issue: showIssue(world, parent, urls),
    sub_issue_id: issue.id,
    sub_issue: showIssue(world, issue, urls),
    sub_issue_repo: showRepository(issue.repository, urls),
  };
}
