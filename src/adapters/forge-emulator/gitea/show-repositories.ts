import { isoTime, type Urls } from '../http/answer.ts';
import type { PushedCommit } from '../state/event.ts';
import type { Hook, Protection, Repository, Role } from '../state/model.ts';
import { includes } from '../state/rights.ts';
import { fullNameOf } from '../state/world.ts';
import { NEVER, showUser } from './show-accounts.ts';

export function pageUrl(repository: Repository, { web }: Urls): string {
  return `${web}/${fullNameOf(repository)}`;
}

export function repositoryUrl(repository: Repository, { api }: Urls): string {
  return `${api}/repos/${fullNameOf(repository)}`;
}

export function showRepository(repository: Repository, urls: Urls, role: Role = 'none') {
  const page = pageUrl(repository, urls);
  const url = repositoryUrl(repository, urls);
  const open = [...repository.issues.values()].filter(({ isOpen }) => isOpen);
  return {
    ...{ id: repository.id, owner: showUser(repository.owner, urls), name: repository.name },
    ...{ full_name: fullNameOf(repository), description: '', empty: false },
    ...{ private: repository.isPrivate, fork: repository.forkOf !== null, template: false },
    ...{ mirror: false, size: 25, language: '', languages_url: `${url}/languages` },
    ...{ html_url: page, url, link: '', ssh_url: `${page}.git`, clone_url: `${page}.git` },
    ...{ original_url: '', website: '', stars_count: 0, forks_count: 0, watchers_count: 1 },
    branch_count: repository.branches.size,
    open_issues_count: open.filter(({ pull }) => pull === null).length,
    open_pr_counter: open.filter(({ pull }) => pull !== null).length,
    ...{ release_counter: 0, default_branch: repository.defaultBranch, archived: false },
    created_at: isoTime(repository.createdAt),
    updated_at: isoTime(repository.pushedAt),
    archived_at: NEVER,
    permissions: {
      admin: includes(role, 'admin'),
      push: includes(role, 'write'),
      pull: includes(role, 'read'),
    },
    ...{ has_code: true, has_issues: true, has_wiki: true, has_pull_requests: true },
    internal_tracker: {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: true,
      enable_issue_dependencies: true,
    },
    ...{ has_projects: true, projects_mode: 'all', has_releases: true, has_packages: true },
    ...{ has_actions: true, ignore_whitespace_conflicts: false, allow_merge_commits: true },
    ...{ allow_rebase: true, allow_rebase_explicit: true, allow_squash_merge: true },
    ...{ allow_fast_forward_only_merge: true, allow_rebase_update: true },
    ...{ allow_manual_merge: false, autodetect_manual_merge: false },
    ...{ default_delete_branch_after_merge: false, default_merge_style: 'merge' },
    ...{ default_allow_maintainer_edit: true, avatar_url: '', internal: false },
    ...{ mirror_interval: '', object_format_name: 'sha1', mirror_updated: '0001-01-01T00:00:00Z' },
    ...{ topics: [], licenses: [] },
  };
}

export function showHook(hook: Hook) {
  return {
    ...{ id: hook.id, name: '', type: 'gitea', branch_filter: '' },
    config: { content_type: 'json', url: hook.url },
    events: hook.events,
    authorization_header: '',
    active: hook.isActive,
    updated_at: isoTime(hook.createdAt),
    created_at: isoTime(hook.createdAt),
  };
}

export function showProtection(branch: string, protection: Protection) {
  return {
    ...{ branch_name: branch, rule_name: branch, priority: 1 },
    ...{ enable_push: false, ...listOf('push_whitelist'), enable_force_push: false },
    ...{ ...listOf('force_push_allowlist'), push_whitelist_deploy_keys: false },
    ...{ force_push_allowlist_deploy_keys: false, ...listOf('merge_whitelist') },
    ...{ enable_approvals_whitelist: false, approvals_whitelist_username: [] },
    approvals_whitelist_teams: [],
    enable_status_check: protection.requiredChecks.length > 0,
    status_check_contexts: [...protection.requiredChecks],
    required_approvals: protection.requiredApprovals,
    block_on_rejected_reviews: protection.blocksOnRejection,
    dismiss_stale_approvals: protection.dismissesStale,
    block_on_official_review_requests: false,
    block_on_outdated_branch: false,
    require_signed_commits: false,
    block_admin_merge_override: false,
    ...{ ignore_stale_approvals: false, protected_file_patterns: '' },
    ...{ unprotected_file_patterns: '', created_at: NEVER, updated_at: NEVER },
  };
}

/** Nobody in particular may. */
function listOf(name: string) {
  return { [`enable_${name}`]: false, [`${name}_usernames`]: [], [`${name}_teams`]: [] };
}

/** As pushes, branches and statuses mention it. */
export function showCommit(repository: Repository, commit: PushedCommit, urls: Urls) {
  const person = (name: string, email: string) => ({ name, email, username: name });
  return {
    id: commit.sha,
    message: `${commit.message}\n`,
    url: `${pageUrl(repository, urls)}/commit/${commit.sha}`,
    author: person(commit.authorName, commit.authorEmail),
    committer: person(commit.committerName, commit.committerEmail),
    verification: null,
    timestamp: isoTime(commit.at),
    added: [...commit.added],
    removed: [...commit.removed],
    modified: [...commit.modified],
  };
}

export function showBranch(
  repository: Repository,
  { name, commit }: { readonly name: string; readonly commit: PushedCommit },
  urls: Urls,
) {
  const protection = repository.protections.get(name);
  return {
    name,
    commit: showCommit(repository, commit, urls),
    protected: protection !== undefined,
    required_approvals: protection?.requiredApprovals ?? 0,
    enable_status_check: (protection?.requiredChecks.length ?? 0) > 0,
    status_check_contexts: [...(protection?.requiredChecks ?? [])],
    user_can_push: true,
    user_can_merge: true,
    effective_branch_protection_name: protection ? name : '',
  };
}
