import { isoTime, type Urls } from '../http/answer.ts';
import type { Account, Team } from '../state/model.ts';

/** Ids that GraphQL would take. */
export function nodeId(kind: string, id: number): string {
  return Buffer.from(`${kind}:${id}`).toString('base64');
}

export function showUser({ id, login, kind, isAdmin }: Account, { web, api }: Urls) {
  const url = `${api}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: `${web}/avatars/${id}`,
    gravatar_id: '',
    url,
    html_url: `${web}/${kind === 'Bot' ? `apps/${login.replace('[bot]', '')}` : login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: kind,
    user_view_type: 'public',
    site_admin: isAdmin,
  };
}

export function showUserOrNull(account: Account | null, urls: Urls) {
  return account && showUser(account, urls);
}

/** What a profile has more than a mention of its owner. */
export function showProfile(account: Account, urls: Urls) {
  return {
    ...showUser(account, urls),
    name: account.login,
    company: null,
    blog: '',
    location: null,
    email: account.email,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: isoTime(account.createdAt),
    updated_at: isoTime(account.createdAt),
  };
}

/** As the owner of the token sees it. */
export function showOwnProfile(account: Account, urls: Urls) {
  return {
    ...showProfile(account, urls),
    private_gists: 0,
    total_private_repos: 0,
    owned_private_repos: 0,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
  };
}

export function showOrganization({ id, login }: Account, { web, api }: Urls) {
  const url = `${api}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId('Organization', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${web}/avatars/${id}`,
    description: '',
  };
}

export function showTeamMembership({ id }: Team, { api }: Urls, login: string) {
  return {
    url: `${api}/teams/${id}/memberships/${login}`,
    role: 'member',
    state: 'active',
  };
}

export function showMembership(org: Account, account: Account, urls: Urls) {
  return {
    url: `${urls.api}/orgs/${org.login}/memberships/${account.login}`,
    state: 'active',
    role: 'member',
    organization_url: `${urls.api}/orgs/${org.login}`,
    organization: showOrganization(org, urls),
    user: showUser(account, urls),
  };
}
