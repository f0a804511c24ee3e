import { isoTime, isoTimeOrNull, type Urls } from '../http/answer.ts';
import { isMember } from '../state/accounts.ts';
import { commentsOf } from '../state/comments.ts';
import type { Comment, Issue, Label, Repository } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { nodeId, showUser, showUserOrNull } from './show-accounts.ts';
import { showApp } from './show-apps.ts';
import { pageUrl, repositoryUrl } from './show-repositories.ts';

export function showLabel(
  { id, name, color, description }: Label,
  repository: Repository,
  urls: Urls,
) {
  return {
    id,
    node_id: nodeId('Label', id),
    url: `${repositoryUrl(repository, urls)}/labels/${encodeURIComponent(name)}`,
    name,
    color,
    default: false,
    description: description === '' ? null : description,
  };
}

/** An issue; a pull request is shown the same way, with a link to itself. */
export function showIssue(world: World, issue: Issue, urls: Urls) {
  const { repository, number, pull } = issue;
  const url = `${repositoryUrl(repository, urls)}/issues/${number}`;
  const page = `${pageUrl(repository, urls)}/${pull ? 'pull' : 'issues'}/${number}`;
  return {
    url,
    repository_url: repositoryUrl(repository, urls),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: page,
    id: issue.id,
    node_id: nodeId('Issue', issue.id),
    number,
    title: issue.title,
    user: showUser(issue.author, urls),
    labels: issue.labels.map((label) => showLabel(label, repository, urls)),
    state: issue.isOpen ? 'open' : 'closed',
    locked: false,
    assignee: showUserOrNull(issue.assignees[0] ?? null, urls),
    assignees: issue.assignees.map((account) => showUser(account, urls)),
    milestone: null,
    comments: commentsOf(issue).length,
    created_at: isoTime(issue.createdAt),
    updated_at: isoTime(issue.updatedAt),
    closed_at: isoTimeOrNull(issue.closedAt),
    closed_by: showUserOrNull(issue.closedBy, urls),
    author_association: associationOf(world, issue, issue.author),
    active_lock_reason: null,
    body: issue.body === '' ? null : issue.body,
    reactions: showReactions(url),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: issue.isOpen ? null : (issue.closedAs ?? 'completed'),
    sub_issues_summary: summaryOf(issue),
    ...(pull ? { draft: pull.isDraft, pull_request: linksOf(issue, urls) } : {}),
  };
}

export function showComment(world: World, comment: Comment, urls: Urls) {
  const { id, issue, author } = comment;
  const url = `${repositoryUrl(issue.repository, urls)}/issues`;
  const kind = issue.pull ? 'pull' : 'issues';
  const page = `${pageUrl(issue.repository, urls)}/${kind}/${issue.number}`;
  return {
    url: `${url}/comments/${id}`,
    html_url: `${page}#issuecomment-${id}`,
    issue_url: `${url}/${issue.number}`,
    id,
    node_id: nodeId('IssueComment', id),
    user: showUser(author, urls),
    created_at: isoTime(comment.createdAt),
    updated_at: isoTime(comment.updatedAt),
    body: comment.body,
    author_association: associationOf(world, issue, author),
    reactions: showReactions(`${url}/comments/${id}`),
    performed_via_github_app: comment.viaApp && showApp(comment.viaApp, urls),
  };
}

/** What the author is to the repository; for a person it is no proof of any right. */
export function associationOf(
  world: World,
  { repository }: Pick<Issue, 'repository'>,
  account: Issue['author'],
): string {
  if (repository.owner === account) return 'OWNER';
  if (isMember(world, repository.owner, account)) return 'MEMBER';
  return repository.collaborators.has(account) ? 'COLLABORATOR' : 'NONE';
}

function showReactions(url: string) {
  return {
    url: `${url}/reactions`,
    total_count: 0,
    '+1': 0,
    '-1': 0,
    laugh: 0,
    hooray: 0,
    confused: 0,
    heart: 0,
    rocket: 0,
    eyes: 0,
  };
}

function linksOf({ repository, number, pull }: Issue, urls: Urls) {
  const page = `${pageUrl(repository, urls)}/pull/${number}`;
  return {
    url: `${repositoryUrl(repository, urls)}/pulls/${number}`,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: isoTimeOrNull(pull?.merged?.at ?? null),
  };
}

function summaryOf({ subIssues }: Issue) {
  const completed = subIssues.filter(({ isOpen }) => !isOpen).length;
  const total = subIssues.length;
  return { total, completed, percent_completed: total && Math.floor((100 * completed) / total) };
}
