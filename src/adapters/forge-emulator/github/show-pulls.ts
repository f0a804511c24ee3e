import type { ChangedFile } from '../git/read-commits.ts';
import { isoTime, isoTimeOrNull, type Urls } from '../http/answer.ts';
import { checksAreUnstable } from '../state/checks.ts';
import { commentsOf } from '../state/comments.ts';
import { protectionRefusal } from '../state/merging.ts';
import type { Issue, Pull, PullIssue, Repository, Review, ReviewComment } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { nodeId, showUser, showUserOrNull } from './show-accounts.ts';
import { associationOf, showLabel } from './show-issues.ts';
import { pageUrl, repositoryUrl, showRepository } from './show-repositories.ts';

/** A pull request in a list, which says nothing of its size and of whether it can be merged. */
export function showPullInList(world: World, issue: PullIssue, urls: Urls) {
  const { repository, number, pull } = issue;
  const { url, page, issueUrl, statusesUrl } = placesOf(issue, urls);
  return {
    url,
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    html_url: page,
    ...{ diff_url: `${page}.diff`, patch_url: `${page}.patch`, issue_url: issueUrl, number },
    state: issue.isOpen ? 'open' : 'closed',
    locked: false,
    title: issue.title,
    user: showUser(issue.author, urls),
    body: issue.body === '' ? null : issue.body,
    created_at: isoTime(issue.createdAt),
    updated_at: isoTime(issue.updatedAt),
    closed_at: isoTimeOrNull(issue.closedAt),
    merged_at: isoTimeOrNull(pull.merged?.at ?? null),
    merge_commit_sha: pull.merged?.sha ?? null,
    assignee: showUserOrNull(issue.assignees[0] ?? null, urls),
    assignees: issue.assignees.map((account) => showUser(account, urls)),
    requested_reviewers: pull.requestedReviewers.map((account) => showUser(account, urls)),
    requested_teams: [],
    labels: issue.labels.map((label) => showLabel(label, repository, urls)),
    milestone: null,
    draft: pull.isDraft,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repositoryUrl(repository, urls)}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statusesUrl,
    ...{ head: showHead(pull, urls), base: showBase(repository, pull, urls) },
    _links: linksOf(issue, urls),
    author_association: associationOf(world, issue, issue.author),
    auto_merge: null,
    active_lock_reason: null,
  };
}

export function showPull(world: World, issue: PullIssue, urls: Urls) {
  const { pull } = issue;
  const { mergeability, merged, size } = pull;
  return {
    ...showPullInList(world, issue, urls),
    merged: merged !== null,
    mergeable: mergeability === 'unknown' ? null : mergeability === 'clean',
    rebaseable: mergeability === 'unknown' ? null : mergeability === 'clean',
    mergeable_state: mergeableStateOf(issue),
    merged_by: showUserOrNull(merged?.by ?? null, urls),
    comments: commentsOf(issue).length,
    review_comments: pull.reviewComments.length,
    maintainer_can_modify: false,
    commits: size.commits,
    additions: size.additions,
    deletions: size.deletions,
    changed_files: size.files,
  };
}

function mergeableStateOf(issue: PullIssue): string {
  const { pull, repository } = issue;
  if (pull.isDraft) return 'draft';
  if (pull.mergeability === 'unknown') return 'unknown';
  if (pull.mergeability === 'conflict') return 'dirty';
  if (protectionRefusal(issue)) return 'blocked';
  return checksAreUnstable(repository, pull.headSha) ? 'unstable' : 'clean';
}

export function showReview(
  world: World,
  { issue, review }: { readonly issue: Issue; readonly review: Review },
  urls: Urls,
) {
  const { repository, number } = issue;
  const page = `${pageUrl(repository, urls)}/pull/${number}#pullrequestreview-${review.id}`;
  const url = `${repositoryUrl(repository, urls)}/pulls/${number}`;
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: showUser(review.author, urls),
    body: review.body,
    state: review.isDismissed ? 'DISMISSED' : review.state.toUpperCase(),
    html_url: page,
    pull_request_url: url,
    author_association: associationOf(world, issue, review.author),
    _links: { html: { href: page }, pull_request: { href: url } },
    submitted_at: isoTime(review.submittedAt),
    commit_id: review.commit,
  };
}

export function showReviewComment(
  world: World,
  { issue, comment }: { readonly issue: Issue; readonly comment: ReviewComment },
  urls: Urls,
) {
  const { repository, number } = issue;
  const { id, review, line } = comment;
  const pullUrl = `${repositoryUrl(repository, urls)}/pulls/${number}`;
  const url = `${repositoryUrl(repository, urls)}/pulls/comments/${id}`;
  const page = `${pageUrl(repository, urls)}/pull/${number}#discussion_r${id}`;
  const at = isoTime(comment.createdAt);
  return {
    ...{ url, id, node_id: nodeId('PullRequestReviewComment', id) },
    pull_request_review_id: review.id,
    ...{ diff_hunk: '@@', path: comment.path, position: line, original_position: line ?? 1 },
    ...{ commit_id: comment.commit, original_commit_id: comment.commit },
    ...{ user: showUser(comment.author, urls), body: comment.body, created_at: at, updated_at: at },
    ...{ html_url: page, pull_request_url: pullUrl },
    author_association: associationOf(world, issue, comment.author),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl } },
    ...(line === null ? {} : { line, original_line: line, side: 'RIGHT' }),
  };
}

export function showFile(
  { path, status, additions, deletions, blob, patch }: ChangedFile,
  { repository, pull }: PullIssue,
  urls: Urls,
) {
  const name = encodeURIComponent(path);
  return {
    sha: blob,
    filename: path,
    status,
    ...{ additions, deletions, changes: additions + deletions },
    blob_url: `${pageUrl(repository, urls)}/blob/${pull.headSha}/${name}`,
    raw_url: `${pageUrl(repository, urls)}/raw/${pull.headSha}/${name}`,
    contents_url: `${repositoryUrl(repository, urls)}/contents/${name}?ref=${pull.headSha}`,
    patch,
  };
}

/** The short mention of pull requests in check runs and workflow runs. */
export function showPullsOf(repository: Repository, sha: string, urls: Urls) {
  return [...repository.issues.values()]
    .filter(({ isOpen, pull }) => isOpen && pull?.headSha === sha)
    .map(({ number, pull }) => {
      const { id, name } = repository;
      const own = { id, url: repositoryUrl(repository, urls), name };
      return {
        id: pull?.id ?? 0,
        number,
        url: `${own.url}/pulls/${number}`,
        head: { ref: pull?.headBranch ?? '', sha: pull?.headSha ?? '', repo: own },
        base: { ref: pull?.baseBranch ?? '', sha: pull?.baseSha ?? '', repo: own },
      };
    });
}

function showHead({ headRepository, headBranch, headSha }: Pull, urls: Urls) {
  const { owner } = headRepository;
  return {
    label: `${owner.login}:${headBranch}`,
    ref: headBranch,
    sha: headSha,
    user: showUser(owner, urls),
    repo: showRepository(headRepository, urls),
  };
}

function showBase(repository: Repository, { baseBranch, baseSha }: Pull, urls: Urls) {
  return {
    label: `${repository.owner.login}:${baseBranch}`,
    ref: baseBranch,
    sha: baseSha,
    user: showUser(repository.owner, urls),
    repo: showRepository(repository, urls),
  };
}

function placesOf({ repository, number, pull }: PullIssue, urls: Urls) {
  const own = repositoryUrl(repository, urls);
  return {
    url: `${own}/pulls/${number}`,
    page: `${pageUrl(repository, urls)}/pull/${number}`,
    issueUrl: `${own}/issues/${number}`,
    statusesUrl: `${own}/statuses/${pull.headSha}`,
  };
}

function linksOf(issue: PullIssue, urls: Urls) {
  const { url, page, issueUrl, statusesUrl } = placesOf(issue, urls);
  return {
    self: { href: url },
    html: { href: page },
    issue: { href: issueUrl },
    comments: { href: `${issueUrl}/comments` },
    review_comments: { href: `${url}/comments` },
    review_comment: { href: `${repositoryUrl(issue.repository, urls)}/pulls/comments{/number}` },
    commits: { href: `${url}/commits` },
    statuses: { href: statusesUrl },
  };
}
