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
import { listAll } from './read.ts';
import * as gitea from './schema.ts';

interface Needs {
  readonly client: ForgeClient;
  readonly kind: 'gitea' | 'forgejo';
  readonly account: Forge['account'];
  readonly gitAccess: Forge['gitAccess'];
}

export function createGiteaSetup(needs: Needs): ForgeSetup {
  const { client, kind } = needs;
  return {
    labels: (repo) => labels(client, repo),
    async createLabel(repo, label) {
      const path = `/repos/${repo}/labels`;
      await mustAnswer(client, { method: 'POST', path, body: textOf(label) }, 201);
    },
    async editLabel(repo, id, label) {
      const path = `/repos/${repo}/labels/${id}`;
      await mustAnswer(client, { method: 'PATCH', path, body: textOf(label) }, 200);
    },
    hookTo: (repo, url) => hookTo(client, repo, url),
    ensureHook: (repo, plan) => ensureHook({ client, kind }, repo, plan),
    testHook: (repo, url) => testHook(client, repo, url),
    proveRights: (repo) => proveRights(needs, repo),
    whyPushStartsNoCi: () => whyPushStartsNoCi(needs),
  };
}

async function labels(client: ForgeClient, repo: string): Promise<readonly RepositoryLabel[]> {
  const found = await listAll(client, `/repos/${repo}/labels`, gitea.WholeLabel);
  return found.map(({ id, name, color, description }) => ({
    id: String(id),
    name,
    color: color.replace(/^#/, ''),
    description: description ?? '',
  }));
}

function textOf({ name, color, description }: HallLabel) {
  return { name, color: `#${color}`, description };
}

/** The names under which Gitea stores what `issues`, `pull_request` and `push` stand for. */
const NEEDED_EVENTS: readonly string[] = [
  'push',
  'issues',
  'issue_assign',
  'issue_label',
  'issue_comment',
  'pull_request',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_comment',
  'pull_request_review',
  'pull_request_review_request',
  'pull_request_sync',
];

/** A server that does not know one of the last ones leaves it out; statuses are polled there. */
const ASKED_EVENTS = {
  gitea: ['push', 'issues', 'pull_request', 'status', 'workflow_run', 'workflow_job'],
  forgejo: [
    'push',
    'issues',
    'pull_request',
    'action_run_failure',
    'action_run_recover',
    'action_run_success',
  ],
} as const satisfies Record<Needs['kind'], readonly string[]>;

type Hook = z.output<typeof gitea.Hook>;

async function hooksTo(client: ForgeClient, repo: string, url: string): Promise<readonly Hook[]> {
  const path = `/repos/${repo}/hooks`;
  const { status } = await client.call({ method: 'GET', path: `${path}?limit=1` });
  if (status === 403 || status === 404) {
    throw new ForgeFailed(
      `the hall's account may not see the webhooks of ${repo}: make it an administrator of the repository`,
      { retry: 'never' },
    );
  }
  const all = await listAll(client, path, gitea.Hook);
  return all.filter(({ config }) => config.url === url);
}

async function hookTo(client: ForgeClient, repo: string, url: string): Promise<FoundHook | null> {
  const [hook] = await hooksTo(client, repo, url);
  return hook ? found(hook) : null;
}

/** Gitea stores events in no order and under other names than those that were asked for. */
function found({ active, events }: Hook): FoundHook {
  const sent = new Set(events);
  return { isActive: active, missingEvents: NEEDED_EVENTS.filter((name) => !sent.has(name)) };
}

async function ensureHook(
  { client, kind }: Pick<Needs, 'client' | 'kind'>,
  repo: string,
  { url, secret, setsSecret }: HookPlan,
): Promise<HookChange> {
  const path = `/repos/${repo}/hooks`;
  const [first, ...copies] = await hooksTo(client, repo, url);
  const events = [...new Set([...ASKED_EVENTS[kind], ...(first?.events ?? [])])];
  const config = { url, content_type: 'json', secret };
  const create = { type: kind, active: true, config, events };
  if (!first || setsSecret) {
    // An edit does not change the secret, so another webhook takes the place of the first.
    await mustAnswer(client, { method: 'POST', path, body: create }, 201);
    for (const { id } of first ? [first, ...copies] : []) await remove(client, `${path}/${id}`);
    return first ? 'changed' : 'created';
  }
  for (const { id } of copies) await remove(client, `${path}/${id}`);
  const { isActive, missingEvents } = found(first);
  if (isActive && missingEvents.length === 0) return copies.length > 0 ? 'changed' : 'unchanged';
  const edit = { active: true, config: { url, content_type: 'json' }, events };
  await mustAnswer(client, { method: 'PATCH', path: `${path}/${first.id}`, body: edit }, 200);
  return 'changed';
}

async function remove(client: ForgeClient, path: string): Promise<void> {
  await mustAnswer(client, { method: 'DELETE', path }, 204, 404);
}

async function testHook(client: ForgeClient, repo: string, url: string): Promise<boolean> {
  const [hook] = await hooksTo(client, repo, url);
  if (!hook) return false;
  const path = `/repos/${repo}/hooks/${hook.id}/tests`;
  return (await mustAnswer(client, { method: 'POST', path }, 204, 404)).status === 204;
}

const WRITE = 'give the account write access to the repository, and its token the scope';

async function proveRights(needs: Needs, repo: string): Promise<readonly ProvenRight[]> {
  const { client, gitAccess } = needs;
  const here = `/repos/${repo}`;
  const get = (path: string) => ({ method: 'GET', path }) as const;
  const [owner = ''] = repo.split('/');
  const pull = {
    head: 'hall/no-such-branch',
    base: 'hall/no-such-branch',
    title: 'A test of rights',
    body: '',
  };
  return [
    await useRight(client, {
      right: 'read issues',
      fix: 'give its token the scope write:issue',
      call: get(`${here}/issues?limit=1&state=all`),
      granted: [200],
    }),
    await writeLabels(client, repo),
    {
      right: 'push branches',
      refusal: await whyNoPush(await gitAccess(repo, 'write')),
      fix: `${WRITE} write:repository`,
    },
    // There is no such branch, so it cannot be opened; only someone without the right gets 403.
    await useRight(client, {
      right: 'open pull requests',
      fix: `${WRITE} write:repository`,
      call: { method: 'POST', path: `${here}/pulls`, body: pull },
      granted: [404, 409, 422],
    }),
    await useRight(client, {
      right: 'see what people may do in the repository',
      fix: 'make the account an administrator of the repository',
      call: get(`${here}/collaborators/${encodeURIComponent(owner)}/permission`),
      granted: [200, 404],
    }),
  ];
}

/** Writes a label as it is. */
async function writeLabels(client: ForgeClient, repo: string): Promise<ProvenRight> {
  const right = 'write issues and labels';
  const fix = `${WRITE} write:issue`;
  const path = `/repos/${repo}/labels`;
  const [label] = await labels(client, repo);
  if (label) {
    const call = { method: 'PATCH', path: `${path}/${label.id}`, body: textOf(label) } as const;
    return useRight(client, { right, fix, call, granted: [200] });
  }
  // Without a colour it is refused, but only after the right was checked.
  const call = { method: 'POST', path, body: { name: 'hall:queued' } } as const;
  return useRight(client, { right, fix, call, granted: [422] });
}

/** Pushes with the token that Actions gives to a job start no workflow. */
async function whyPushStartsNoCi({ account }: Needs): Promise<string | null> {
  const { id, login } = await account();
  if (id > 0 && !/^(gitea|forgejo)-actions$/.test(login)) return null;
  return `its token is that of a job (${login}), whose pushes start no workflow: use the token of an account`;
}
