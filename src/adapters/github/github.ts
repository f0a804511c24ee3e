import type { Account, ForgeCheck, Permission } from '../../domain/forge/snapshot.ts';
import { type Forge, ForgeFailed, type GitAccess } from '../../ports/forge.ts';
import type { ConnectableForge } from '../../ports/forge-setup.ts';
import { createForgeClient, type ForgeCall, type ForgeClient } from '../forge/client.ts';
import { download } from '../forge/download.ts';
import { parsed } from '../forge/parse.ts';
import { WatchedChecks } from '../forge/watched-checks.ts';
import { type AppCredential, type AppTokens, appJwt, createAppTokens } from './app-tokens.ts';
import { changedSince } from './changes.ts';
import { accountFrom } from './convert.ts';
import { checkLists, getOne, look, openIssues, type Reading, readChecks } from './read.ts';
import * as github from './schema.ts';
import { createGitHubSetup } from './setup.ts';
import * as write from './write.ts';

interface GitHubNeeds {
  readonly name: string;
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly url: string;
  readonly apiUrl: string | null;
  /** One of the two; read at each use, so that a rotated credential works without a restart. */
  readonly credential: () => { readonly app: AppCredential } | { readonly token: string };
  readonly now: () => number;
}

export const HEADERS = {
  accept: 'application/vnd.github+json',
  'user-agent': 'guildhall',
  'x-github-api-version': '2022-11-28',
};

export function createGitHub(needs: GitHubNeeds): ConnectableForge {
  const { client, own, tokens, reading, appId } = connect(needs);
  const writing = { client, own, isApp: tokens !== null, appId };
  const access: Forge['gitAccess'] = (repo, right) => gitAccess(needs, tokens, { repo, right });
  const watched = new WatchedChecks(client);
  return {
    can: capabilitiesOf(tokens !== null),
    account: own,
    exists: async (repo) => (await getOne(client, `/repos/${repo}`, github.Repository)) !== null,
    look: (target) => look(reading, target),
    checksOf: (repo, commit) => readChecks(reading, repo, commit),
    requiredChecks: (repo, branch) => requiredChecks(client, repo, branch),
    treeOf: async (repo, commit) => {
      const found = await getOne(client, `/repos/${repo}/commits/${commit}`, github.Commit);
      return found?.commit.tree.sha ?? null;
    },
    outputOf: (repo, check) => outputOf(client, repo, check),
    haveChecksChanged: (repo, commit) => watched.haveChanged(commit, checkLists(repo, commit)),
    changedSince: (repo, since) => changedSince(client, repo, since),
    openIssues: (repo, labels) => openIssues(client, repo, labels),
    permissionOf: (repo, account) => permissionOf(client, repo, account),
    isInTeam: async (repo, team, { login }) => {
      const token = await tokens?.forMembers(repo);
      return isInTeam(client, { team, login, token });
    },
    ensurePullRequest: (plan) => write.ensurePullRequest(writing, plan),
    ensureComment: (plan) => write.ensureComment(writing, plan),
    setLabels: (plan) => write.setLabels(writing, plan),
    setStatus: (plan) => write.setStatus(writing, plan),
    submitReview: (plan) => write.submitReview(writing, plan),
    requestReview: (plan) => write.requestReview(writing, plan),
    rerun: (repo, check) => write.rerun(writing, repo, check),
    merge: (plan) => write.merge(writing, plan),
    deleteBranch: (repo, branch) => write.deleteBranch(writing, repo, branch),
    closeIssue: (repo, number) => write.closeIssue(writing, repo, number),
    callBudget: () => client.callBudget(),
    gitAccess: access,
    setup: createGitHubSetup({ client, tokens, gitAccess: access, token: () => tokenIn(needs) }),
  };
}

function tokenIn({ credential }: GitHubNeeds): string | null {
  const current = credential();
  return 'app' in current ? null : current.token;
}

/** The one client of this forge, and who it acts as. */
function connect(needs: GitHubNeeds) {
  const { name, now } = needs;
  const credential = needs.credential();
  const app = 'app' in credential ? credential.app : null;
  const later = { call: (call: ForgeCall) => client.call(call) };
  const tokens = app && createAppTokens({ client: later, app, now });
  const client: ForgeClient = createForgeClient({
    name,
    baseUrl: needs.apiUrl ?? apiUrlOf(needs.url),
    headers: HEADERS,
    now,
    authorize: async (call) => {
      const repo = repoIn(call);
      if (tokens && repo !== null) return `Bearer ${await tokens.forHall(repo)}`;
      const current = needs.credential();
      return 'app' in current ? `Bearer ${appJwt(current.app, now())}` : `Bearer ${current.token}`;
    },
  });
  const own = createOwnAccount(client, app !== null);
  const appId = app?.id ?? null;
  const reading: Reading = { client, account: own, appId };
  return { client, own, tokens, appId, reading };
}

function capabilitiesOf(isApp: boolean): Forge['can'] {
  return {
    issues: true,
    checkRuns: isApp,
    rerunsChecks: true,
    shortLivedTokens: isApp,
    assignable: !isApp,
    subIssues: true,
  };
}

interface GitRight {
  readonly repo: string;
  readonly right: 'read' | 'write';
}

async function gitAccess(
  { url: root, name, credential }: GitHubNeeds,
  tokens: AppTokens | null,
  { repo, right }: GitRight,
): Promise<GitAccess> {
  const url = `${root}/${repo}.git`;
  if (tokens) {
    const { token, expiresAt } = await tokens.forRun(repo, right);
    return { url, credential: token, expiresAt };
  }
  const current = credential();
  if (!('app' in current)) return { url, credential: current.token, expiresAt: null };
  throw new ForgeFailed(`${name} was changed to an App: restart the hall`, { retry: 'never' });
}

export function apiUrlOf(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}

/** The repository that a call is about; null for calls of the App itself. */
function repoIn({ path }: ForgeCall): string | null {
  return /^\/repos\/([^/?]+\/[^/?]+)/.exec(path)?.[1] ?? null;
}

/** An App acts as the bot account `<slug>[bot]`. */
function createOwnAccount(client: ForgeClient, isApp: boolean) {
  let known: Account | undefined;
  return async (): Promise<Account> => {
    known ??= isApp ? await botAccount(client) : await tokenAccount(client);
    return known;
  };
}

async function tokenAccount(client: ForgeClient): Promise<Account> {
  const user = await getOne(client, '/user', github.User);
  if (!user) throw new ForgeFailed('the token belongs to no account', { retry: 'never' });
  return accountFrom(user);
}

async function botAccount(client: ForgeClient): Promise<Account> {
  const app = await getOne(client, '/app', github.App);
  const login = `${app?.slug ?? ''}[bot]`;
  const user = await getOne(client, `/users/${encodeURIComponent(login)}`, github.User);
  if (!user) throw new ForgeFailed(`there is no account ${login}`, { retry: 'later' });
  return { ...accountFrom(user), isBot: true };
}

const LEVELS: Readonly<Record<string, Permission>> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
};

/** By login, because that is how GitHub asks; the login was read with the id a moment ago. */
async function permissionOf(
  client: ForgeClient,
  repo: string,
  { login }: Account,
): Promise<Permission> {
  const path = `/repos/${repo}/collaborators/${encodeURIComponent(login)}/permission`;
  const level = await getOne(client, path, github.PermissionLevel);
  return LEVELS[level?.permission ?? ''] ?? 'none';
}

interface Membership {
  readonly team: string;
  readonly login: string;
  /** Of an App, whose other tokens do not see members. */
  readonly token: string | undefined;
}

/** GitHub answers 404 about people who are not in it, and about teams that the hall may not see. */
async function isInTeam(client: ForgeClient, { team, login, token }: Membership): Promise<boolean> {
  const [org = '', slug] = team.split('/').map(encodeURIComponent);
  const place = slug === undefined ? `/orgs/${org}` : `/orgs/${org}/teams/${slug}`;
  const path = `${place}/memberships/${encodeURIComponent(login)}`;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, body } = await client.call({ method: 'GET', path, ...authorization });
  if (status === 403) {
    throw new ForgeFailed(`the hall may not see who is in ${team}: ${MEMBERS_FIX}`, {
      retry: 'never',
    });
  }
  return status === 200 && parsed(github.Membership, body, path).state === 'active';
}

const MEMBERS_FIX =
  'give the App the permission members: read, or make the account a member of the organization';

/** The branch itself names them; its protection is shown only to administrators. */
async function requiredChecks(
  client: ForgeClient,
  repo: string,
  branch: string,
): Promise<readonly string[]> {
  const path = `/repos/${repo}/branches/${encodeURIComponent(branch)}`;
  const found = await getOne(client, path, github.Branch);
  return found?.protection?.required_status_checks?.contexts ?? [];
}

async function outputOf(
  client: ForgeClient,
  repo: string,
  { rerun, name }: ForgeCheck,
): Promise<string> {
  const [, id] = /^check-run (\d+)$/.exec(rerun ?? '') ?? [];
  if (id === undefined) return '';
  const logs = await client.call({ method: 'GET', path: `/repos/${repo}/actions/jobs/${id}/logs` });
  const place = logs.status === 302 ? logs.header('location') : null;
  if (place !== null) return await download('GitHub', place);
  const { status, body } = await client.call({
    method: 'GET',
    path: `/repos/${repo}/check-runs/${id}`,
  });
  if (status !== 200) return '';
  const run = parsed(github.CheckRuns.shape.check_runs.element, body, name);
  return [run.output.summary, run.output.text].filter((text) => text !== null).join('\n');
}
