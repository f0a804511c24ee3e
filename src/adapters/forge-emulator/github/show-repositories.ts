import { isoTime, type Urls } from '../http/answer.ts';
import type { Protection, Repository, Role } from '../state/model.ts';
import { includes } from '../state/rights.ts';
import { fullNameOf } from '../state/world.ts';
import { nodeId, showUser } from './show-accounts.ts';

/** The addresses below a repository, in GitHub's templates. */
const PLACES: Readonly<Record<string, string>> = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

export function repositoryUrl(repository: Repository, { api }: Urls): string {
  return `${api}/repos/${fullNameOf(repository)}`;
}

export function pageUrl(repository: Repository, { web }: Urls): string {
  return `${web}/${fullNameOf(repository)}`;
}

export function showMinimalRepository(repository: Repository, urls: Urls) {
  const { id, name, owner, isPrivate, forkOf } = repository;
  const url = repositoryUrl(repository, urls);
  const places = Object.entries(PLACES).map(([key, rest]) => [key, `${url}${rest}`]);
  return {
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: fullNameOf(repository),
    private: isPrivate,
    owner: showUser(owner, urls),
    html_url: pageUrl(repository, urls),
    description: null,
    fork: forkOf !== null,
    url,
    ...(Object.fromEntries(places) as Record<string, string>),
  };
}

export function showRepository(repository: Repository, urls: Urls, role: Role | null = null) {
  const page = pageUrl(repository, urls);
  const open = [...repository.issues.values()].filter(({ isOpen }) => isOpen).length;
  return {
    ...showMinimalRepository(repository, urls),
    ...{ created_at: isoTime(repository.createdAt), updated_at: isoTime(repository.pushedAt) },
    pushed_at: isoTime(repository.pushedAt),
    ...{ git_url: `${page}.git`, ssh_url: `${page}.git`, clone_url: `${page}.git`, svn_url: page },
    ...{ homepage: null, size: 0, stargazers_count: 0, watchers_count: 0, language: null },
    ...{ has_issues: true, has_projects: false, has_wiki: false, has_pages: false },
    ...{ has_downloads: false, has_discussions: false, forks_count: 0, mirror_url: null },
    ...{ archived: false, disabled: false, open_issues_count: open, license: null },
    ...{ allow_forking: true, is_template: false, web_commit_signoff_required: false, topics: [] },
    visibility: repository.isPrivate ? 'private' : 'public',
    ...{ forks: 0, open_issues: open, watchers: 0, default_branch: repository.defaultBranch },
    ...(role === null ? {} : { permissions: showPermissions(role) }),
  };
}

export function showFullRepository(repository: Repository, urls: Urls, role: Role) {
  return {
    ...showRepository(repository, urls, role),
    ...{ allow_squash_merge: true, allow_merge_commit: true, allow_rebase_merge: true },
    ...{ allow_auto_merge: false, delete_branch_on_merge: false, network_count: 0 },
    subscribers_count: 0,
  };
}

/** All false for the token of an App, whatever it may do. */
export function showPermissions(role: Role) {
  return {
    admin: includes(role, 'admin'),
    maintain: includes(role, 'maintain'),
    push: includes(role, 'write'),
    triage: includes(role, 'triage'),
    pull: includes(role, 'read'),
  };
}

export function showBranch(
  repository: Repository,
  { name, sha }: { readonly name: string; readonly sha: string },
  urls: Urls,
) {
  const url = repositoryUrl(repository, urls);
  return {
    name,
    commit: { sha, url: `${url}/commits/${sha}` },
    protected: repository.protections.has(name),
    protection_url: `${url}/branches/${name}/protection`,
  };
}

export function showProtection(
  repository: Repository,
  branch: string,
  { protection, urls }: { readonly protection: Protection; readonly urls: Urls },
) {
  const url = `${repositoryUrl(repository, urls)}/branches/${branch}/protection`;
  const contexts = [...protection.requiredChecks];
  return {
    url,
    required_status_checks: {
      url: `${url}/required_status_checks`,
      strict: false,
      contexts,
      contexts_url: `${url}/required_status_checks/contexts`,
      checks: contexts.map((context) => ({ context, app_id: null })),
    },
    required_pull_request_reviews: {
      url: `${url}/required_pull_request_reviews`,
      dismiss_stale_reviews: protection.dismissesStale,
      require_code_owner_reviews: false,
      required_approving_review_count: protection.requiredApprovals,
      require_last_push_approval: false,
    },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: true },
  };
}

export function showHook(repository: Repository, hook: Repository['hooks'][number], urls: Urls) {
  const url = `${repositoryUrl(repository, urls)}/hooks/${hook.id}`;
  return {
    type: 'Repository',
    id: hook.id,
    name: 'web',
    active: hook.isActive,
    events: hook.events,
    config: { content_type: 'json', insecure_ssl: '0', url: hook.url, secret: '********' },
    updated_at: isoTime(hook.createdAt),
    created_at: isoTime(hook.createdAt),
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: { code: null, status: 'unused', message: null },
  };
}
