import { isoTime, type Urls } from '../http/answer.ts';
import type { Account, Team } from '../state/model.ts';

/** What Go writes for a time that was never set. */
export const NEVER = '1970-01-01T00:00:00Z';

export function showUser({ id, login, email, isAdmin, createdAt }: Account, { web }: Urls) {
  return {
    id,
    login,
    login_name: '',
    source_id: 0,
    full_name: '',
    email,
    avatar_url: `${web}/avatars/${id}`,
    html_url: `${web}/${login}`,
    language: '',
    is_admin: isAdmin,
    last_login: NEVER,
    created: isoTime(createdAt),
    restricted: false,
    active: true,
    prohibit_login: false,
    location: '',
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    username: login,
  };
}

export function showUserOrNull(account: Account | null, urls: Urls) {
  return account && showUser(account, urls);
}

export function showOrganization({ id, login }: Account, { web }: Urls) {
  return {
    id,
    name: login,
    full_name: '',
    email: '',
    avatar_url: `${web}/avatars/${id}`,
    description: '',
    website: '',
    location: '',
    visibility: 'public',
    repo_admin_change_team_access: false,
    username: login,
  };
}

export function showTeam({ id, slug, org }: Team, urls: Urls) {
  return {
    id,
    name: slug,
    description: '',
    organization: showOrganization(org, urls),
    includes_all_repositories: false,
    permission: 'write',
    units: ['repo.code', 'repo.issues', 'repo.pulls'],
    can_create_org_repo: false,
  };
}
