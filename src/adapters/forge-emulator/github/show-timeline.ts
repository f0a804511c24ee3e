import { isoTime, type Urls } from '../http/answer.ts';
import type { Issue, TimelineEntry } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { nodeId, showUser } from './show-accounts.ts';
import { showApp } from './show-apps.ts';
import { showComment } from './show-issues.ts';
import { showReview } from './show-pulls.ts';
import { repositoryUrl } from './show-repositories.ts';

/** The events of an issue: the timeline without comments and reviews. */
export function showEvents(issue: Issue, urls: Urls) {
  return issue.timeline.flatMap((entry) => {
    if (entry.is === 'commented' || entry.is === 'reviewed') return [];
    return [showEvent(issue, entry, urls)];
  });
}

export function showTimeline(world: World, issue: Issue, urls: Urls) {
  return issue.timeline.map((entry) => {
    if (entry.is === 'commented') {
      const actor = showUser(entry.actor, urls);
      return { ...showComment(world, entry.comment, urls), event: 'commented', actor };
    }
    if (entry.is === 'reviewed' && issue.pull) {
      const review = showReview(world, { issue, review: entry.review }, urls);
      return { ...review, event: 'reviewed', state: review.state.toLowerCase() };
    }
    return showEvent(issue, entry, urls);
  });
}

function showEvent({ repository }: Issue, entry: TimelineEntry, urls: Urls) {
  const url = repositoryUrl(repository, urls);
  const commit = entry.is === 'merged' ? entry.sha : null;
  return {
    id: entry.id,
    node_id: nodeId('Event', entry.id),
    url: `${url}/issues/events/${entry.id}`,
    actor: showUser(entry.actor, urls),
    event: entry.is,
    commit_id: commit,
    commit_url: commit && `${url}/commits/${commit}`,
    created_at: isoTime(entry.at),
    performed_via_github_app: entry.viaApp && showApp(entry.viaApp, urls),
    ...factsOf(entry, urls),
  };
}

function factsOf(entry: TimelineEntry, urls: Urls): object {
  switch (entry.is) {
    case 'labeled':
    case 'unlabeled':
      return { label: { name: entry.label.name, color: entry.label.color } };
    case 'assigned':
    case 'unassigned':
      return {
        assignee: showUser(entry.assignee, urls),
        assigner: showUser(entry.actor, urls),
      };
    case 'review_requested':
    case 'review_request_removed':
      return {
        review_requester: showUser(entry.actor, urls),
        requested_reviewer: showUser(entry.reviewer, urls),
      };
    case 'renamed':
      return { rename: { from: entry.from, to: entry.to } };
    case 'closed':
      return { state_reason: null };
    default:
      return {};
  }
}
