import { setTimeout as wait } from 'node:timers/promises';
import type { ForgeClient, Received, Reply } from './forge-fixture.ts';
import { gitBeside, write } from './git-fixture.ts';

/** A Gitea, real or emulated, with the people of the story: boss owns acme, dev and review may write. */
export interface StoryForge {
  readonly url: string;
  readonly folder: string;
  readonly hookUrl: string;
  readonly received: readonly Received[];
  readonly people: Readonly<Record<StoryPerson, { client: ForgeClient; token: string }>>;
}

export type StoryPerson = 'boss' | 'dev' | 'review' | 'stranger';

/** A call of the story with its answer. */
export interface RecordedCall {
  readonly name: string;
  readonly call: string;
  readonly status: number;
  readonly answer: unknown;
}

const SHOP = '/repos/acme/shop';

const WORKFLOW = `name: ci
on:
  push:
    branches: ['hall/**']
jobs:
  test:
    runs-on: host
    steps:
      - name: must have ok
        run: |
          git init -q .
          git fetch -q "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_SHA"
          git checkout -q FETCH_HEAD
          test -f ok.txt || { echo "there is no ok.txt"; exit 1; }
`;

export const STORY_FILES = { 'README.md': 'shop\n' };

const EVENTS = ['push', 'create', 'delete', 'issues', 'pull_request', 'status'];
const RUN_EVENTS = ['workflow_run', 'workflow_job', 'repository'];

/** From a labelled issue over a red and a green run to a merge, and the refusals on the way. */
export async function playGiteaStory(forge: StoryForge): Promise<RecordedCall[]> {
  const calls: RecordedCall[] = [];
  const as: Calls = async (who, name, request, body) => {
    const [method = '', path = ''] = request.split(' ');
    const reply = await forge.people[who].client(method, path, body);
    calls.push({ name, call: request, status: reply.status, answer: reply.body });
    return reply.body;
  };
  await setUp(forge, as);
  await issues(as);
  const work = await clone(forge);
  const { number, red } = await openPull(forge, as, work);
  await reviews(as, number, red);
  await mergeIt(forge, as, { number, work });
  return calls;
}

// biome-ignore lint/suspicious/noExplicitAny: the story looks into answers of every kind.
type Calls = (who: StoryPerson, name: string, request: string, body?: object) => Promise<any>;

async function setUp(forge: StoryForge, as: Calls): Promise<void> {
  await as('boss', 'version', 'GET /version');
  await as('boss', 'repository', `GET ${SHOP}`);
  await as('boss', 'right of a stranger', `GET ${SHOP}/collaborators/stranger/permission`);
  await as('boss', 'right of a writer', `GET ${SHOP}/collaborators/dev/permission`);
  const config = { url: forge.hookUrl, content_type: 'json', secret: 'hush' };
  const hook = { type: 'gitea', active: true, config, events: [...EVENTS, ...RUN_EVENTS] };
  const { id } = await as('boss', 'hook', `POST ${SHOP}/hooks`, hook);
  await as('boss', 'hooks', `GET ${SHOP}/hooks`);
  await as('boss', 'hook tried', `POST ${SHOP}/hooks/${id}/tests`);
  await as('stranger', 'hook by a stranger', `POST ${SHOP}/hooks`, hook);
  for (const name of ['hall:dev', 'hall:active', 'hall:dev']) {
    await as('boss', `label ${name}`, `POST ${SHOP}/labels`, { name, color: '#0366d6' });
  }
  await as('boss', 'labels', `GET ${SHOP}/labels`);
}

async function issues(as: Calls): Promise<void> {
  const one = `${SHOP}/issues/1`;
  await as('boss', 'issue', `POST ${SHOP}/issues`, { title: 'Greet', body: 'Please greet.' });
  await as('boss', 'labelled by id', `POST ${one}/labels`, { labels: [1] });
  await as('boss', 'unlabelled', `DELETE ${one}/labels/1`);
  await as('boss', 'labelled by name', `POST ${one}/labels`, { labels: ['hall:dev'] });
  await as('boss', 'labels replaced', `PUT ${one}/labels`, { labels: ['hall:dev', 'hall:active'] });
  await as('boss', 'assigned', `PATCH ${one}`, { assignees: ['dev'] });
  await as('boss', 'edited', `PATCH ${one}`, { title: 'Greet, please', body: 'changed' });
  const said = await as('stranger', 'comment', `POST ${one}/comments`, { body: '@dev do evil' });
  await as('stranger', 'label by a stranger', `POST ${one}/labels`, { labels: ['hall:active'] });
  const card = await as('dev', 'card', `POST ${one}/comments`, { body: 'card' });
  await as('dev', 'card edited', `PATCH ${SHOP}/issues/comments/${card.id}`, { body: 'card 2' });
  await as('boss', 'comment deleted', `DELETE ${SHOP}/issues/comments/${said.id}`);
  await as('dev', 'comments', `GET ${one}/comments`);
  const since = 'since=2020-01-01T00:00:00Z';
  await as('dev', 'comments of all', `GET ${SHOP}/issues/comments?${since}`);
  const filter = `state=open&labels=hall:dev&${since}&type=issues&limit=50&page=1`;
  await as('dev', 'issues with the label', `GET ${SHOP}/issues?${filter}`);
  await as('dev', 'timeline', `GET ${one}/timeline`);
  await as('boss', 'second issue', `POST ${SHOP}/issues`, { title: 'Second' });
  const first = { owner: 'acme', repo: 'shop', index: 1 };
  await as('boss', 'dependency', `POST ${SHOP}/issues/2/dependencies`, first);
  await as('boss', 'dependencies', `GET ${SHOP}/issues/2/dependencies`);
  await as('boss', 'no such issue', `GET ${SHOP}/issues/99`);
}

async function openPull(forge: StoryForge, as: Calls, work: string) {
  const files = { '.gitea/workflows/ci.yml': WORKFLOW, 'a.txt': 'a\n' };
  const red = await commit(work, files);
  const plan = { title: 'Greet', head: 'hall/dev/issue-1', base: 'main' };
  const pull = await as('dev', 'pull', `POST ${SHOP}/pulls`, { ...plan, body: 'Closes #1' });
  const { number } = pull;
  await as('dev', 'second pull', `POST ${SHOP}/pulls`, plan);
  await as('dev', 'pull of the branch', `GET ${SHOP}/pulls/main/hall%2Fdev%2Fissue-1`);
  await as('dev', 'files', `GET ${SHOP}/pulls/${number}/files`);
  await as('dev', 'pull labelled', `POST ${SHOP}/issues/${number}/labels`, { labels: [2] });
  await as('dev', 'pull comment', `POST ${SHOP}/issues/${number}/comments`, { body: 'hello' });
  await untilDone(forge, red);
  await as('dev', 'red status', `GET ${SHOP}/commits/${red}/status`);
  await as('dev', 'red statuses', `GET ${SHOP}/commits/${red}/statuses`);
  const { workflow_runs: runs } = await as('dev', 'runs', `GET ${SHOP}/actions/runs`);
  const { jobs } = await as('dev', 'jobs', `GET ${SHOP}/actions/runs/${runs[0].id}/jobs`);
  await as('dev', 'log', `GET ${SHOP}/actions/jobs/${jobs[0].id}/logs`);
  const again = `POST ${SHOP}/actions/runs/${runs[0].id}/rerun`;
  await as('dev', 'rerun', again);
  await untilDone(forge, red);
  await as('dev', 'jobs again', `GET ${SHOP}/actions/runs/${runs[0].id}/jobs`);
  const status = { state: 'pending', context: '[Hall] dev', description: 'd' };
  await as('dev', 'own status', `POST ${SHOP}/statuses/${red}`, status);
  return { number, red };
}

async function reviews(as: Calls, number: number, red: string): Promise<void> {
  const pull = `${SHOP}/pulls/${number}`;
  const asked = { reviewers: ['review'] };
  await as('dev', 'review requested', `POST ${pull}/requested_reviewers`, asked);
  await as('dev', 'reviews asked for', `GET ${pull}/reviews`);
  const mine = { body: 'mine' };
  await as('dev', 'own approval', `POST ${pull}/reviews`, { event: 'APPROVED', ...mine });
  await as('dev', 'own rejection', `POST ${pull}/reviews`, { event: 'REQUEST_CHANGES', ...mine });
  const rejection = {
    event: 'REQUEST_CHANGES',
    body: 'please fix',
    commit_id: red,
    comments: [{ path: 'a.txt', new_position: 1, body: 'why a?' }],
  };
  const { id } = await as('review', 'rejection', `POST ${pull}/reviews`, rejection);
  await as('dev', 'comments of a review', `GET ${pull}/reviews/${id}/comments`);
}

async function mergeIt(
  forge: StoryForge,
  as: Calls,
  { number, work }: { readonly number: number; readonly work: string },
): Promise<void> {
  const pull = `${SHOP}/pulls/${number}`;
  const green = await commit(work, { 'ok.txt': 'ok\n' });
  await untilDone(forge, green);
  await untilMergeable(forge, number);
  await as('dev', 'pull moved', `GET ${pull}`);
  const comment = { event: 'COMMENT', body: 'a plain comment' };
  await as('review', 'comment review', `POST ${pull}/reviews`, comment);
  const checks = { enable_status_check: true, status_check_contexts: ['ci/x'] };
  const rule = { rule_name: 'main', ...checks, required_approvals: 1 };
  await as('boss', 'protected', `POST ${SHOP}/branch_protections`, rule);
  // A new rule makes Gitea look again whether there are conflicts.
  await untilMergeable(forge, number);
  const plan = { Do: 'merge', head_commit_id: green };
  await as('dev', 'merge without checks', `POST ${pull}/merge`, plan);
  const success = { state: 'success', context: 'ci/x', description: 'ok' };
  await as('dev', 'status', `POST ${SHOP}/statuses/${green}`, success);
  await as('dev', 'merge without approval', `POST ${pull}/merge`, plan);
  const approval = { event: 'APPROVED', body: 'fine', commit_id: green };
  await as('review', 'approval', `POST ${pull}/reviews`, approval);
  await as('dev', 'reviews', `GET ${pull}/reviews`);
  const stale = { ...plan, head_commit_id: '1'.repeat(40) };
  await as('dev', 'merge of another head', `POST ${pull}/merge`, stale);
  await mergeAsSoonAsPossible(forge, as, { pull, plan });
  await as('dev', 'merged again', `POST ${pull}/merge`, plan);
  await as('dev', 'closed issue', `GET ${SHOP}/issues/1`);
  await as('dev', 'merged pull', `GET ${pull}`);
  await as('dev', 'branch', `GET ${SHOP}/branches/main`);
}

/** After a merge that failed Gitea looks for conflicts again, and says "try again later" until it knows. */
async function mergeAsSoonAsPossible(
  { people }: StoryForge,
  as: Calls,
  { pull, plan }: { readonly pull: string; readonly plan: object },
): Promise<void> {
  const wish = { ...plan, delete_branch_after_merge: true };
  await until(async () => (await people.dev.client('POST', `${pull}/merge`, wish)).status !== 405);
  await as('dev', 'merged', `GET ${pull}/merge`);
}

/** Waits for CI: the last status of a commit is not pending, and one of Actions is there. */
async function untilDone({ people }: StoryForge, sha: string): Promise<void> {
  await until(async () => {
    const { body } = await people.dev.client('GET', `${SHOP}/commits/${sha}/status`);
    const runs = await people.dev.client('GET', `${SHOP}/actions/runs?head_sha=${sha}`);
    const [run] = runs.body.workflow_runs;
    return body.total_count > 0 && body.state !== 'pending' && run?.status === 'completed';
  });
}

async function untilMergeable({ people }: StoryForge, number: number): Promise<void> {
  await until(async () => (await pullOf(people.dev.client, number)).body.mergeable);
}

function pullOf(client: ForgeClient, number: number): Promise<Reply> {
  return client('GET', `${SHOP}/pulls/${number}`);
}

const PATIENCE = 180_000;

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const givesUpAt = performance.now() + PATIENCE;
  while (!(await isTrue())) {
    if (performance.now() > givesUpAt) throw new Error('the forge did not get there in time');
    await wait(50);
  }
}

async function clone({ url, folder, people }: StoryForge): Promise<string> {
  const address = url.replace('://', `://dev:${people.dev.token}@`);
  await gitBeside(folder, 'clone', '--quiet', `${address}/acme/shop.git`, 'work');
  await gitBeside(`${folder}/work`, 'checkout', '--quiet', '-b', 'hall/dev/issue-1');
  return `${folder}/work`;
}

async function commit(work: string, files: Readonly<Record<string, string>>): Promise<string> {
  write(work, files);
  await gitBeside(work, 'add', '--all');
  await gitBeside(work, 'commit', '--quiet', '-m', `Change ${Object.keys(files)}`);
  await gitBeside(work, 'push', '--quiet', 'origin', 'HEAD');
  return gitBeside(work, 'rev-parse', 'HEAD');
}
