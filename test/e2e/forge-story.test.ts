import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ForgeEmulator,
  startForgeEmulator,
} from '../../src/adapters/forge-emulator/emulator.ts';
import { redThenGreen } from '../../src/adapters/forge-emulator/state/ci-script.ts';
import { PATH } from '../support/git-fixture.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { casesInTier } from '../support/tier.ts';
import { WorkersFixture, whyNoWorkers } from '../support/worker-fixture.ts';

const REPO = 'acme/shop';

const KINDS = ['github', 'gitea', 'forgejo'] as const;
type ForgeKind = (typeof KINDS)[number];

/** Implements with a mistake, fixes it when CI fails, improves it after the first review, then is approved. */
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

function writing(text: string): string {
  return `
      - use: { tool: Bash, input: { command: "echo ${text} >> a.txt; git add a.txt; git commit -qm '${text}'" } }
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: It is ${text}. } }
      - end`;
}

for (const kind of casesInTier(KINDS, (each) => each === 'github')) {
  describe(`an issue on ${kind}`, { skip: await whyNoWorkers() }, () => {
    it(`HA-020a: on ${kind} a label becomes a pull request, which is fixed after red CI, changed after a review, and merged`, () =>
      story(kind));
  });
}

async function story(kind: ForgeKind): Promise<void> {
  await using shop = await Shop.open(kind);
  const ada = shop.forge.control.as('ada');
  const number = ada.openIssue(REPO, { title: 'Add a.txt', body: 'please' });
  ada.addLabels(REPO, number, ['hall:dev']);
  const pull = await shop.pull();
  assert.match(pull.body, new RegExp(`^Closes #${number}\\.`));
  await shop.cardSays(number, /pr-opened|ci-fix|working/);

  await until('CI is green', async () => (await shop.thread())?.checks?.is === 'green');
  await ada.review(REPO, pull.number, { state: 'changes_requested', body: 'Say more.' });
  await until('the review is addressed', async () => {
    const tasks = (await shop.stage.fixture.get('/v1/tasks')).tasks as Json[];
    return tasks.some(({ skill, state }) => skill === 'address-review' && state === 'completed');
  });
  await until('the new head is green', async () => {
    const thread = await shop.thread();
    return (
      thread?.checks?.is === 'green' &&
      thread.checks.commit === thread.head &&
      thread.tasks.length === 0
    );
  });
  await ada.review(REPO, pull.number, { state: 'approved', body: 'Good.' });
  await until('it is merged', async () => (await shop.pull()).merged_at !== null);
  await shop.cardSays(number, /done[\s\S]*merged, task complete/);
  await until(
    'its branch is gone',
    () => shop.forge.control.tip(REPO, 'hall/dev/issue-1') === null,
  );
  const issue = await shop.ask(`/repos/${REPO}/issues/${number}`);
  assert.equal(issue.state, 'closed');
  const comments = (await shop.ask(`/repos/${REPO}/issues/${number}/comments`)) as Json[];
  assert.equal(comments.length, 1, JSON.stringify(comments));
}

class Shop implements AsyncDisposable {
  readonly forge: ForgeEmulator;
  readonly stage: WorkersFixture;
  readonly #folder: TempFolder;
  readonly #token: string;

  private constructor(
    forge: ForgeEmulator,
    stage: WorkersFixture,
    folder: TempFolder,
    token: string,
  ) {
    this.forge = forge;
    this.stage = stage;
    this.#folder = folder;
    this.#token = token;
  }

  static async open(kind: ForgeKind): Promise<Shop> {
    const folder = tempFolder();
    const forge = await startForgeEmulator({
      kind,
      folder: folder.file('forge'),
      path: PATH,
    });
    const { control } = forge;
    control.addPerson('ada');
    const token = control.addPerson('hall');
    control.addOrganization('acme');
    await control.addRepository(REPO, { files: { 'README.md': 'shop\n' } });
    control.setRole(REPO, 'ada', 'write');
    control.setRole(REPO, 'hall', kind === 'github' ? 'write' : 'admin');
    control.setCi(redThenGreen({ job: 'test', log: 'expected 2, got 3\n', base: 'main' }));
    const connected = {
      kind,
      url: forge.url,
      ...(kind === 'github' && { api_url: forge.apiUrl }),
      token: '$GH_TOKEN',
      poll: { active: '1s', idle: '1s' },
    };
    const stage = await WorkersFixture.open({
      script: SCRIPT,
      env: { GH_TOKEN: token },
      forges: { [kind]: connected },
      project: { repo: `${kind}:${REPO}`, merge_policy: 'on-approval' },
    });
    return new Shop(forge, stage, folder, token);
  }

  async ask(path: string): Promise<Json> {
    const headers = { authorization: `token ${this.#token}` };
    return (await fetch(`${this.forge.apiUrl}${path}`, { headers })).json() as Promise<Json>;
  }

  pull(): Promise<Json> {
    return until('there is a pull request', async () => {
      const [first] = (await this.ask(`/repos/${REPO}/pulls?state=all`)) as Json[];
      return first ?? false;
    });
  }

  async thread(): Promise<Json | undefined> {
    return (await this.stage.fixture.get('/v1/threads')).threads[0];
  }

  async cardSays(number: number, pattern: RegExp): Promise<void> {
    await until(`the card says ${pattern}`, async () => {
      const comments = (await this.ask(`/repos/${REPO}/issues/${number}/comments`)) as Json[];
      return comments.some(
        ({ body }) => body.startsWith('<!-- hall-status -->') && pattern.test(body),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
    await this.forge.close();
    this.#folder[Symbol.dispose]();
  }
}
