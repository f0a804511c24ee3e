import type { z } from 'zod';
import type { HallLabel, RepositoryLabel } from '../../domain/forge/label-set.ts';
import { type Forge, ForgeFailed } from '../../ports/forge.ts';
import type {
  ForgeSetup,
  FoundHook,
  HookChange,
  HookPlan,
  ProvenRight,
} from '../../ports/forge-setup.ts';
import type { ForgeClient } from '../forge/client.ts';
import { mustAnswer } from '../forge/must-answer.ts';
import { whyNoPush } from '../forge/push-right.ts';
import { useRight } from '../forge/used-right.ts';
import type { AppTokens } from './app-tokens.ts';
import { getOne, listAll } from './read.ts';
import * as github from './schema.ts';

interface Needs {
  readonly client: ForgeClient;
  /** Null for an account with a token of its own. */
  readonly tokens: AppTokens | null;
  readonly gitAccess: Forge['gitAccess'];
  /** The token of the account, if it has one. */
  readonly token: () => string | null;
}

export function createGitHubSetup(needs: Needs): ForgeSetup {
  const { client, tokens } = needs;
  return {
    labels: (repo) => labels(client, repo),
    async createLabel(repo, label) {
      const path = `/repos/${repo}/labels`;
      const body = { ...label };
      // A label of that name may have been made since they were listed.
      await mustAnswer(client, { method: 'POST', path, body }, 201, 422);
    },
    async editLabel(repo, id, label) {
      await mustAnswer(client, editing(repo, id, label), 200);
    },
    hookTo: (repo, url) =>
      tokens ? appHookTo(needs, tokens, { repo, url }) : hookTo(client, repo, url),
    ensureHook: (repo, plan) =>
      tokens ? ensureAppHook(needs, tokens, { repo, plan }) : ensureHook(client, repo, plan),
    testHook: async (repo, url) => (tokens ? false : testHook(client, repo, url)),
    proveRights: (repo) => (tokens ? tokens.proveRights(repo) : proveRights(needs, repo)),
    whyPushStartsNoCi: async () => whyPushStartsNoCi(needs),
  };
}

async function labels(client: ForgeClient, repo: string): Promise<readonly RepositoryLabel[]> {
  const found = await listAll(client, `/repos/${repo}/labels`, github.WholeLabel);
  return found.map(({ name, color, description }) => ({
    ...{ id: name, name, color, description: description ?? '' },
  }));
}

/** GitHub knows a label by its name. */
function editing(repo: string, id: string, { name, color, description }: HallLabel) {
  const path = `/repos/${repo}/labels/${encodeURIComponent(id)}`;
  return { method: 'PATCH', path, body: { new_name: name, color, description } } as const;
}

/** What the hall reacts to. */
export const HOOK_EVENTS: readonly string[] = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'check_suite',
  'check_run',
  'workflow_run',
  'status',
  'push',
];

function missingFrom(events: readonly string[]): readonly string[] {
  return events.includes('*') ? [] : HOOK_EVENTS.filter((name) => !events.includes(name));
}

type Hook = z.output<typeof github.Hook>;

/** Null when the account may not see them. */
async function hooksTo(
  client: ForgeClient,
  repo: string,
  url: string,
): Promise<readonly Hook[] | null> {
  const path = `/repos/${repo}/hooks`;
  const { status } = await client.call({ method: 'GET', path: `${path}?per_page=1` });
  if (status === 403 || status === 404) return null;
  const all = await listAll(client, path, github.Hook);
  return all.filter(({ config }) => config.url === url);
}

async function hookTo(client: ForgeClient, repo: string, url: string): Promise<FoundHook | null> {
  const hooks = await hooksTo(client, repo, url);
  const [hook] = hooks ?? refuseHooks(repo);
  return hook ? { isActive: hook.active, missingEvents: missingFrom(hook.events) } : null;
}

function refuseHooks(repo: string): never {
  throw new ForgeFailed(
    `the hall's account may not see the webhooks of ${repo}: make it an administrator of the repository, or use a GitHub App`,
    { retry: 'never' },
  );
}

async function ensureHook(
  client: ForgeClient,
  repo: string,
  { url, secret, setsSecret }: HookPlan,
): Promise<HookChange> {
  const path = `/repos/${repo}/hooks`;
  const [hook] = (await hooksTo(client, repo, url)) ?? refuseHooks(repo);
  const config = { url, content_type: 'json', secret };
  if (!hook) {
    const body = { name: 'web', active: true, events: HOOK_EVENTS, config };
    await mustAnswer(client, { method: 'POST', path, body }, 201);
    return 'created';
  }
  if (!setsSecret && hook.active && missingFrom(hook.events).length === 0) return 'unchanged';
  const events = [...new Set([...hook.events, ...HOOK_EVENTS])];
  // The whole `config` is replaced: without the secret the webhook would have none.
  const body = { active: true, events, config };
  await mustAnswer(client, { method: 'PATCH', path: `${path}/${hook.id}`, body }, 200);
  return 'changed';
}

async function testHook(client: ForgeClient, repo: string, url: string): Promise<boolean> {
  const [hook] = (await hooksTo(client, repo, url)) ?? [];
  if (!hook) return false;
  const path = `/repos/${repo}/hooks/${hook.id}/pings`;
  return (await mustAnswer(client, { method: 'POST', path }, 204, 404)).status === 204;
}

interface AppHookPlace {
  readonly repo: string;
  readonly url: string;
}

/** An App has one webhook for all repositories that it is installed on. */
async function appHookTo(
  { client }: Needs,
  tokens: AppTokens,
  { repo, url }: AppHookPlace,
): Promise<FoundHook | null> {
  await tokens.forHall(repo);
  const config = await getOne(client, '/app/hook/config', github.HookConfig);
  if (config?.url !== url) return null;
  const app = await getOne(client, '/app', github.App);
  return { isActive: true, missingEvents: missingFrom(app?.events ?? []) };
}

/** Its address, events and secret are set on the pages of the App. */
async function ensureAppHook(
  needs: Needs,
  tokens: AppTokens,
  { repo, plan: { url } }: { readonly repo: string; readonly plan: HookPlan },
): Promise<HookChange> {
  const hook = await appHookTo(needs, tokens, { repo, url });
  if (hook && hook.missingEvents.length === 0) return 'unchanged';
  const lack = hook ? `does not send ${hook.missingEvents.join(', ')}` : `has no webhook to ${url}`;
  throw new ForgeFailed(`the App ${lack}: change it in the settings of the App`, {
    retry: 'never',
  });
}

const WRITE = 'give the account write access to the repository, and its token the scope repo';

async function proveRights({ client, gitAccess }: Needs, repo: string) {
  const here = `/repos/${repo}`;
  const get = (path: string) => ({ method: 'GET', path }) as const;
  const branch = 'hall/no-such-branch';
  const pull = { head: branch, base: branch, title: 'A test of rights' };
  const rights: ProvenRight[] = [
    await useRight(client, {
      right: 'read issues',
      fix: WRITE,
      call: get(`${here}/issues?per_page=1&state=all`),
      granted: [200],
    }),
    await writeLabels(client, repo),
    {
      right: 'push branches',
      refusal: await whyNoPush(await gitAccess(repo, 'write')),
      fix: WRITE,
    },
    // There is no such branch, so it cannot be opened; someone without the right gets 403 or 404.
    await useRight(client, {
      right: 'open pull requests',
      fix: WRITE,
      call: { method: 'POST', path: `${here}/pulls`, body: pull },
      granted: [422],
    }),
  ];
  return rights;
}

/** Writes a label as it is. */
async function writeLabels(client: ForgeClient, repo: string): Promise<ProvenRight> {
  const right = 'write issues and labels';
  const [label] = await labels(client, repo);
  if (!label) return { right, fix: WRITE, refusal: 'the repository has no label to try it on' };
  const call = editing(repo, label.id, label);
  return useRight(client, { right, fix: WRITE, call, granted: [200] });
}

/** https://docs.github.com/en/actions/concepts/security/github_token: its pushes start no workflow. */
function whyPushStartsNoCi({ token }: Needs): string | null {
  if (!token()?.startsWith('ghs_')) return null;
  return 'its token is that of a job (GITHUB_TOKEN), whose pushes start no workflow: use an App, or the token of an account';
}
