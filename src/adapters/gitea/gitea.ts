import type { Account, ForgeCheck, Permission } from '../../domain/forge/snapshot.ts';
import type { Instant } from '../../domain/ids.ts';
import { type Forge, type ForgeChanges, ForgeFailed } from '../../ports/forge.ts';
import type { ConnectableForge } from '../../ports/forge-setup.ts';
import { changesFrom, hasLabelOfHall } from '../forge/changes.ts';
import { createForgeClient, type ForgeClient } from '../forge/client.ts';
import { parsed } from '../forge/parse.ts';
import { WatchedChecks } from '../forge/watched-checks.ts';
import { accountFrom } from './convert.ts';
import { getOne, listAll, look, openIssues, readChecks, statusPath } from './read.ts';
import * as gitea from './schema.ts';
import { createGiteaSetup } from './setup.ts';
import * as write from './write.ts';

interface GiteaNeeds {
  readonly name: string;
  readonly kind: 'gitea' | 'forgejo';
  readonly url: string;
  /** Read at each use, so that a rotated token works without a restart. */
  readonly token: () => string;
  readonly now: () => number;
}

/** Gitea and Forgejo: one API, with commit statuses in place of check runs and no short-lived tokens. */
export function createGitea({ name, kind, url, token, now }: GiteaNeeds): ConnectableForge {
  const client = createForgeClient({
    name,
    baseUrl: `${url.replace(/\/$/, '')}/api/v1`,
    headers: { accept: 'application/json', 'user-agent': 'guildhall' },
    now,
    authorize: async () => `token ${token()}`,
  });
  const account = createOwnAccount(client);
  const own = async () => (await account()).id;
  const both = { client, own };
  const gitAccess: Forge['gitAccess'] = async (repo) => ({
    url: `${url}/${repo}.git`,
    credential: token(),
    expiresAt: null,
  });
  const watched = new WatchedChecks(client);
  return {
    can: {
      issues: true,
      checkRuns: false,
      rerunsChecks: kind === 'gitea',
      shortLivedTokens: false,
      assignable: true,
      subIssues: false,
    },
    account,
    exists: async (repo) => (await getOne(client, `/repos/${repo}`, gitea.Repository)) !== null,
    look: (target) => look(both, target),
    checksOf: (repo, commit) => readChecks(both, repo, commit),
    requiredChecks: async (repo, branch) => {
      const path = `/repos/${repo}/branches/${encodeURIComponent(branch)}`;
      const found = await getOne(client, path, gitea.ProtectedBranch);
      return found?.enable_status_check ? (found.status_check_contexts ?? []) : [];
    },
    treeOf: async (repo, commit) => {
      const found = await getOne(client, `/repos/${repo}/git/commits/${commit}`, gitea.Commit);
      return found?.commit.tree.sha ?? null;
    },
    outputOf: (repo, check) => outputOf(client, repo, check),
    haveChecksChanged: (repo, commit) => watched.haveChanged(commit, [statusPath(repo, commit)]),
    changedSince: (repo, since) => changedSince(client, repo, since),
    openIssues: (repo, labels) => openIssues(client, repo, labels),
    permissionOf: (repo, person) => permissionOf(client, repo, person),
    isInTeam: (_, team, person) => isInTeam(client, team, person),
    ensurePullRequest: (plan) => write.ensurePullRequest(both, plan),
    ensureComment: (plan) => write.ensureComment(both, plan),
    setLabels: (plan) => write.setLabels(both, plan),
    setStatus: (plan) => write.setStatus(both, plan),
    submitReview: (plan) => write.submitReview(both, plan),
    requestReview: (plan) => write.requestReview(both, plan),
    rerun: (repo, { rerun }) => write.rerun(both, repo, rerun),
    merge: (plan) => write.merge(both, plan),
    deleteBranch: (repo, branch) => write.deleteBranch(both, repo, branch),
    closeIssue: (repo, number) => write.closeIssue(both, repo, number),
    callBudget: () => client.callBudget(),
    gitAccess,
    setup: createGiteaSetup({ client, kind, account, gitAccess }),
  };
}

function createOwnAccount(client: ForgeClient): () => Promise<Account> {
  let known: Account | undefined;
  return async () => {
    if (known) return known;
    const user = await getOne(client, '/user', gitea.User);
    if (!user) throw new ForgeFailed('the token belongs to no account', { retry: 'never' });
    known = accountFrom(user);
    return known;
  };
}

/** In the order of creation, so nothing leaves a page while the next one is read. */
async function changedSince(
  client: ForgeClient,
  repo: string,
  since: Instant | null,
): Promise<ForgeChanges> {
  const query = new URLSearchParams(
    since === null ? { state: 'open' } : { state: 'all', since: new Date(since).toISOString() },
  );
  const issues = await listAll(client, `/repos/${repo}/issues?${query}`, gitea.Issue);
  return changesFrom(issues, ({ labels }) => since !== null || hasLabelOfHall(labels ?? []));
}

const LEVELS: Readonly<Record<string, Permission>> = {
  owner: 'admin',
  admin: 'admin',
  write: 'write',
  read: 'read',
};

/** Gitea tells the rights of others only to administrators of the repository. */
async function permissionOf(
  client: ForgeClient,
  repo: string,
  { login }: Account,
): Promise<Permission> {
  const path = `/repos/${repo}/collaborators/${encodeURIComponent(login)}/permission`;
  const { status, body } = await client.call({ method: 'GET', path });
  if (status === 403) {
    const because = `the hall's account may not see what ${login} may do in ${repo}: make it an administrator of the repository`;
    throw new ForgeFailed(because, { retry: 'never' });
  }
  if (status !== 200) return 'none';
  return LEVELS[parsed(gitea.PermissionLevel, body, path).permission] ?? 'none';
}

async function isInTeam(client: ForgeClient, team: string, { login }: Account): Promise<boolean> {
  const [org = '', name] = team.split('/').map(encodeURIComponent);
  const person = encodeURIComponent(login);
  if (name === undefined) return mayAnswer(client, `/orgs/${org}/members/${person}`, team);
  const path = `/orgs/${org}/teams`;
  await mayAnswer(client, `${path}?limit=1`, team);
  const teams = await listAll(client, path, gitea.Team);
  const found = teams.find((each) => each.name.toLowerCase() === name.toLowerCase());
  return found ? mayAnswer(client, `/teams/${found.id}/members/${person}`, team) : false;
}

/** Whether a list or a member is there; Gitea shows both to members of the organisation only. */
async function mayAnswer(client: ForgeClient, path: string, team: string): Promise<boolean> {
  const { status } = await client.call({ method: 'GET', path });
  if (status === 403) {
    const because = `the hall's account may not see who is in ${team}: make it a member of the organization`;
    throw new ForgeFailed(because, { retry: 'never' });
  }
  return status === 200 || status === 204;
}

async function outputOf(client: ForgeClient, repo: string, { rerun }: ForgeCheck): Promise<string> {
  const [, job] = /job (\d+)$/.exec(rerun ?? '') ?? [];
  if (job === undefined) return '';
  const { status, body } = await client.call({
    method: 'GET',
    path: `/repos/${repo}/actions/jobs/${job}/logs`,
  });
  return status === 200 && typeof body === 'string' ? body : '';
}
