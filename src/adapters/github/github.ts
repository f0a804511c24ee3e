import type { Account, ForgeCheck, Permission } from '../../domain/forge/snapshot.ts';
import { type Forge, type ForgeChanges, ForgeFailed, type GitAccess } from '../../ports/forge.ts';
import { createForgeClient, type ForgeCall, type ForgeClient } from '../forge/client.ts';
import { instantIn, parsed } from '../forge/parse.ts';
import { type AppCredential, type AppTokens, appJwt, createAppTokens } from './app-tokens.ts';
import { accountFrom } from './convert.ts';
import { getOne, listAll, look, type Reading, readChecks } from './read.ts';
import * as github from './schema.ts';
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

const HEADERS = {
  accept: 'application/vnd.github+json',
  'user-agent': 'guildhall',
  'x-github-api-version': '2022-11-28',
};

export function createGitHub(needs: GitHubNeeds): Forge {
  const { client, own, tokens, reading, appId } = connect(needs);
  const writing = { client, own: own.ask, isApp: tokens !== null, appId };
  return {
    can: capabilitiesOf(tokens !== null),
    account: own.ask,
    exists: async (repo) => (await getOne(client, `/repos/${repo}`, github.Repository)) !== null,
    look: async (target) => {
      await own.ask();
      return look(reading, target);
    },
    checksOf: async (repo, commit) => {
      await own.ask();
      return readChecks(reading, repo, commit);
    },
    requiredChecks: (repo, branch) => requiredChecks(client, repo, branch),
    treeOf: async (repo, commit) => {
      const found = await getOne(client, `/repos/${repo}/commits/${commit}`, github.Commit);
      return found?.commit.tree.sha ?? null;
    },
    outputOf: (repo, check) => outputOf(client, repo, check),
    changedSince: (repo, cursor) => changedSince(client, repo, cursor),
    permissionOf: (repo, account) => permissionOf(client, repo, account),
    isInTeam: (team, account) => isInTeam(client, team, account),
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
    gitAccess: (repo, right) => gitAccess(needs, tokens, { repo, right }),
  };
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
  const isOwnCheck: Reading['isOwnCheck'] = ({ appId, creator }) =>
    app ? appId === app.id : creator !== null && creator === own.known()?.id;
  return { client, own, tokens, appId: app?.id ?? null, reading: { client, isOwnCheck } };
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

function apiUrlOf(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}

/** The repository that a call is about; null for calls of the App itself. */
function repoIn({ path }: ForgeCall): string | null {
  return /^\/repos\/([^/?]+\/[^/?]+)/.exec(path)?.[1] ?? null;
}

/** An App acts as the bot account `<slug>[bot]`. */
function createOwnAccount(client: ForgeClient, isApp: boolean) {
  let known: Account | undefined;
  async function ask(): Promise<Account> {
    known ??= isApp ? await botAccount(client) : await tokenAccount(client);
    return known;
  }
  return { ask, known: () => known };
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

/** A minute back: GitHub's list may show a change a little late. */
const OVERLAP = 60_000;

async function changedSince(
  client: ForgeClient,
  repo: string,
  cursor: string | null,
): Promise<ForgeChanges> {
  if (cursor === null) return firstSight(client, repo);
  const query = new URLSearchParams({
    since: cursor,
    state: 'all',
    sort: 'updated',
    direction: 'asc',
  });
  const issues = await listAll(client, `/repos/${repo}/issues?${query}`, github.Issue);
  const newest = issues.at(-1)?.updated_at;
  const next =
    newest === undefined
      ? cursor
      : later(cursor, new Date(instantIn(newest) - OVERLAP).toISOString());
  return { numbers: [...new Set(issues.map(({ number }) => number))], cursor: next };
}

function later(a: string, b: string): string {
  return instantIn(a) > instantIn(b) ? a : b;
}

async function firstSight(client: ForgeClient, repo: string): Promise<ForgeChanges> {
  const issues = await listAll(
    client,
    `/repos/${repo}/issues?state=open&sort=updated&direction=desc`,
    github.Issue,
  );
  const labelled = issues.filter(({ labels }) =>
    labels.some(({ name }) => name.startsWith('hall:')),
  );
  const newest = issues[0]?.updated_at ?? '1970-01-01T00:00:00Z';
  const cursor = new Date(Math.max(0, instantIn(newest) - OVERLAP)).toISOString();
  return { numbers: labelled.map(({ number }) => number), cursor };
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

async function isInTeam(client: ForgeClient, team: string, { login }: Account): Promise<boolean> {
  const [org, slug] = team.split('/');
  const path = `/orgs/${org}/teams/${slug}/memberships/${encodeURIComponent(login)}`;
  const { status, body } = await client.call({ method: 'GET', path });
  if (status !== 200) return false;
  const membership = body as { readonly state?: unknown };
  return membership.state === 'active';
}

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
  const path = `/repos/${repo}/actions/jobs/${id}/logs`;
  const logs = await client.call({ method: 'GET', path, isFollowed: true });
  if (logs.status === 200 && typeof logs.body === 'string') return logs.body;
  const { status, body } = await client.call({
    method: 'GET',
    path: `/repos/${repo}/check-runs/${id}`,
  });
  if (status !== 200) return '';
  const run = parsed(github.CheckRuns.shape.check_runs.element, body, name);
  return [run.output.summary, run.output.text].filter((text) => text !== null).join('\n');
}
