import assert from 'node:assert/strict';
import { CARD_MARKER } from '../../src/domain/forge/status-card.ts';
import type { ForgeServer } from './forge-server.ts';
import { gitBeside } from './git-fixture.ts';
import { type Json, until } from './hall-fixture.ts';
import { tempFolder } from './temp-folder.ts';
import { WorkersFixture } from './worker-fixture.ts';

/** The agent implements with a mistake, fixes it when CI fails, and improves it after a review. */
const SCRIPT = `scenes:
  - name: fix-ci
    when: { prompt: "# Fix" }
    steps: ${writing('fixed')}
  - name: address-review
    when: { prompt: "# Address" }
    steps: ${writing('improved')}
  - name: implement
    when: { prompt: "# Implement" }
    steps: ${writing('begun')}`;

/** A run that is done again finds its work there. */
function writing(text: string): string {
  const command = `grep -qx ${text} a.txt || { echo ${text} >> a.txt; git add a.txt; git commit -qm '${text}'; }`;
  return `
      - use: { tool: Bash, input: { command: "${command}" } }
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: It is ${text}. } }
      - end`;
}

/** What the agent leaves when every step was done once. */
const DONE = 'one\ntwo\nbegun\nfixed\nimproved\n';

/** Red until the agent has fixed it. */
const WORKFLOW = `name: ci
on:
  push:
    branches: ['hall/**']
jobs:
  test:
    runs-on: host
    steps:
      - name: must be fixed
        run: |
          git init -q .
          git fetch -q "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_SHA"
          git checkout -q FETCH_HEAD
          grep -q fixed a.txt || { echo "expected fixed"; exit 1; }
`;

interface StoryOptions {
  /** Sends deliveries to the hall. */
  readonly hasHook?: boolean;
  readonly poll?: string;
}

const SECRET = 'hush-hush-hush';

/** The whole story of an issue, on a forge with a hall that follows it. */
export class ForgeStory implements AsyncDisposable {
  readonly server: ForgeServer;
  readonly stage: WorkersFixture;
  readonly repo: string;

  private constructor(server: ForgeServer, stage: WorkersFixture, repo: string) {
    this.server = server;
    this.stage = stage;
    this.repo = repo;
  }

  static async open(server: ForgeServer, options: StoryOptions = {}): Promise<ForgeStory> {
    const { kind, url, apiUrl } = server;
    const repo = await server.newRepository();
    if (server.emulator) emulateCi(server);
    else await server.person('ada').push(repo, 'main', { '.gitea/workflows/ci.yml': WORKFLOW });
    const every = options.poll ?? '1s';
    const forge = {
      ...{ kind, url, token: '$FORGE_TOKEN', webhook_secret: '$HOOK_SECRET' },
      ...(kind === 'github' && { api_url: apiUrl }),
      poll: { active: every, idle: every, covered: every },
    };
    const stage = await WorkersFixture.open({
      script: SCRIPT,
      env: { FORGE_TOKEN: server.token('hall'), HOOK_SECRET: SECRET },
      forges: { [kind]: forge },
      project: { repo: `${kind}:${repo}`, merge_policy: 'on-approval' },
    });
    if (options.hasHook) {
      const hook = `${stage.hall.url}/v1/webhooks/${kind}`;
      await server.person('hall').addHook(repo, hook, SECRET);
    }
    return new ForgeStory(server, stage, repo);
  }

  /** From the label to the merge, with what people do in between. */
  async play(): Promise<void> {
    await this.label();
    await this.playOn();
  }

  /** The rest of it. */
  async playOn(issue = 1): Promise<void> {
    const pull = await this.pull();
    await this.green();
    await this.review(pull, 'changes_requested', 'Say more.');
    await this.until('the review is addressed', async () => {
      const tasks = (await this.ofHall('/v1/tasks'))?.tasks as Json[] | undefined;
      return tasks?.some(({ skill, state }) => skill === 'address-review' && state === 'completed');
    });
    await this.green();
    await this.review(pull, 'approved', 'Good.');
    await this.until('it is merged', async () => (await this.ask(`pulls/${pull}`))?.merged);
    await this.cardSays(issue, /done[\s\S]*merged, task complete/);
    await this.until('its branch is gone', async () => {
      const [branch, ...others] = ((await this.ask('branches')) ?? []) as Json[];
      return branch?.name === 'main' && others.length === 0;
    });
  }

  /** Ada opens an issue with a label; the number. */
  async label(): Promise<number> {
    const text = { title: 'Add a.txt', body: 'please' };
    const { emulator } = this.server;
    if (emulator) {
      const ada = emulator.control.as('ada');
      const number = ada.openIssue(this.repo, text);
      ada.addLabels(this.repo, number, ['hall:dev']);
      return number;
    }
    const ada = this.server.person('ada');
    const number = await ada.openIssue(this.repo, text);
    await ada.label(this.repo, number, 'hall:dev');
    return number;
  }

  async review(pull: number, state: 'changes_requested' | 'approved', body: string): Promise<void> {
    const { emulator } = this.server;
    if (emulator) await emulator.control.as('ada').review(this.repo, pull, { state, body });
    else await this.server.person('ada').review(this.repo, pull, state, body);
  }

  /** The number of the pull request. */
  async pull(): Promise<number> {
    const pull = await this.until('there is a pull request', async () => {
      const [first] = ((await this.ask('pulls?state=all')) ?? []) as Json[];
      return first;
    });
    return pull.number;
  }

  /** CI is green on the head, and no task is left to do. */
  async green(): Promise<void> {
    await this.until('CI is green on the head', async () => {
      const thread = (await this.ofHall('/v1/threads'))?.threads[0];
      if (thread?.handed_over) throw new Error(JSON.stringify(thread.handed_over));
      const { checks, head, tasks } = thread ?? {};
      return checks?.is === 'green' && checks.commit === head && tasks.length === 0;
    });
  }

  async cardSays(number: number, pattern: RegExp): Promise<void> {
    await this.until(`the card says ${pattern}`, async () => {
      const comments = ((await this.ask(`issues/${number}/comments`)) ?? []) as Json[];
      return comments.some(({ body }) => body.startsWith(CARD_MARKER) && pattern.test(body));
    });
  }

  /** Every step of the story left exactly one trace. */
  async nothingDoubledNothingLost(): Promise<void> {
    const issues = (await this.ask('issues?state=all')) as Json[];
    const [issue] = issues.filter(({ pull_request: isPull }) => !isPull);
    const [pull, ...more] = (await this.ask('pulls?state=all')) as Json[];
    assert.deepEqual(more, [], 'one pull request');
    assert.equal(issue.state, 'closed');
    for (const { number } of [issue, pull]) {
      const comments = (await this.ask(`issues/${number}/comments`)) as Json[];
      const markers = comments.map(({ body }) => body.split('\n')[0]);
      assert.deepEqual(markers, [CARD_MARKER], `one card on ${number}, and nothing else`);
    }
    const labels = issue.labels.map(({ name }: Json) => name);
    assert.deepEqual(labels, ['hall:dev'], 'no label of a state is left');
    assert.equal(await this.fileOnMain(), DONE, 'every step of the agent is there once');
    const { tasks } = await this.stage.fixture.get('/v1/tasks?limit=100');
    const ended = (tasks as Json[]).map(({ skill, state }) => `${skill} ${state}`).sort();
    assert.deepEqual(ended, [
      'address-review completed',
      'fix-ci completed',
      'implement completed',
    ]);
    const { thread } = await this.stage.fixture.get(`/v1/threads/${tasks[0].thread}`);
    assert.equal(thread.state, 'done');
  }

  async fileOnMain(): Promise<string> {
    const { forge, kind } = this.server;
    const { url, credential } = await forge.gitAccess(this.repo, 'read');
    using temp = tempFolder();
    const address = url.replace('://', `://x-access-token:${credential}@`);
    await gitBeside(temp.path, 'clone', '--quiet', address, kind);
    return `${await gitBeside(temp.file(kind), 'show', 'HEAD:a.txt')}\n`;
  }

  /** The forge may be made to fail, and the hall may be away: then there is no answer. */
  async ask(path: string): Promise<Json | undefined> {
    const reply = await this.server
      .person('hall')
      .ask('GET', `/repos/${this.repo}/${path}`)
      .catch(() => undefined);
    return reply?.status === 200 ? reply.body : undefined;
  }

  async ofHall(path: string): Promise<Json | undefined> {
    return this.stage.fixture.get(path).catch(() => undefined);
  }

  async until<T>(what: string, isTrue: () => Promise<T>): Promise<NonNullable<T>> {
    return (await until(what, isTrue as () => Promise<Json>)) as NonNullable<T>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

function emulateCi({ emulator }: ForgeServer): void {
  emulator?.control.setCi(async ({ branch, read }) => {
    const isFixed = (await read('a.txt'))?.includes('fixed') ?? false;
    const isGreen = branch === 'main' || isFixed;
    const log = isGreen ? 'ok\n' : 'expected fixed\n';
    return [{ name: 'test', conclusion: isGreen ? 'success' : 'failure', log }];
  });
}
