import assert from 'node:assert/strict';
import {
  type ForgeEmulator,
  type ForgeKind,
  startForgeEmulator,
} from '../../src/adapters/forge-emulator/emulator.ts';
import type { Person } from '../../src/adapters/forge-emulator/person.ts';
import { PATH } from './git-fixture.ts';
import { type Claim, HallFixture, type Json, until, type WorkerFixture } from './hall-fixture.ts';
import { HallInProcess } from './hall-in-process.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';

export const REPO = 'acme/shop';
/** The hall knows it, so it must not show it. */
export const HOOK_SECRET = 'the-secret-of-the-hook';

interface Options {
  readonly kind?: ForgeKind;
  readonly project?: object;
  readonly types?: Readonly<Record<string, object>>;
  readonly hall?: Readonly<Record<string, unknown>>;
  /** More repositories, each a project of its own by its name. */
  readonly more?: readonly string[];
  /** How often the hall reads the repositories, each second unless told. */
  readonly poll?: Readonly<Record<string, string>>;
  /** The clock of the forge. */
  readonly now?: () => number;
  /** The hall acts as an App, where it is GitHub. */
  readonly isApp?: boolean;
  /** Who pays for the runs; the workers bring their own model if nobody does. */
  readonly invoker?: string;
}

/**
 * A hall in this process that follows a forge on loopback, by webhooks. The test plays the people on the forge
 * and the agents: it claims, pushes and reports as a worker does.
 */
export class ForgeHall implements AsyncDisposable {
  readonly forge: ForgeEmulator;
  readonly hall: HallInProcess;
  readonly fixture: HallFixture;
  readonly ada: Person;
  readonly #folder: TempFolder;
  readonly #token: string;
  readonly #workers = new Map<string, WorkerFixture>();
  #pushes = 0;

  private constructor(
    forge: ForgeEmulator,
    hall: HallInProcess,
    folder: TempFolder,
    token: string,
  ) {
    this.forge = forge;
    this.hall = hall;
    this.fixture = new HallFixture(hall);
    this.ada = forge.control.as('ada');
    this.#folder = folder;
    this.#token = token;
  }

  static async open(options: Options = {}): Promise<ForgeHall> {
    const { kind = 'github', project = {}, more = [], types, isApp = false } = options;
    const folder = tempFolder();
    const now = options.now && { now: options.now };
    const forge = await startForgeEmulator({
      kind,
      folder: folder.file('forge'),
      path: PATH,
      ...now,
    });
    const { control } = forge;
    const token = await people(forge, kind, [REPO, ...more]);
    const app = isApp ? installedApp(forge) : null;
    const credential = app ? { app: { id: app.id, key: '$FORGE_KEY' } } : { token: '$FORGE_TOKEN' };
    const hall = await HallInProcess.create({
      declared: [REPO, ...more].map((name) => ({
        name: name.replace(/^.*\//, ''),
        repo: `${kind}:${name}`,
        max_workers: 20,
        ...project,
      })),
      forges: {
        [kind]: {
          ...(kind !== 'github' && { kind }),
          url: forge.url,
          ...(kind === 'github' && { api_url: forge.apiUrl }),
          ...credential,
          webhook_secret: '$HOOK_SECRET',
          poll: { active: '1s', idle: '1s', covered: '1s', ...options.poll },
        },
      },
      env: { FORGE_TOKEN: token, HOOK_SECRET, FORGE_KEY: app?.privateKey ?? '' },
      hall: { max_recruits: 0, ...options.hall },
      ...(types && { types }),
      ...(options.invoker !== undefined && {
        invokers: [{ handle: options.invoker, credential: '$HOOK_SECRET', weekly_cap: 100 }],
      }),
    });
    const url = `${hall.url}/v1/webhooks/${kind}`;
    const events = [
      'issues',
      'issue_comment',
      'pull_request',
      'pull_request_review',
      'check_suite',
    ];
    for (const name of [REPO, ...more]) {
      control.addHook(name, { url, secret: HOOK_SECRET, events: [...events, 'check_run', 'push'] });
    }
    await hall.start();
    const shop = new ForgeHall(forge, hall, folder, token);
    if (options.invoker !== undefined) {
      const paid = { instance: 'dev-default', brings_model: false };
      shop.#workers.set('dev-default', await shop.fixture.worker(paid));
    }
    return shop;
  }

  /** A labelled issue; its number. */
  issue(label = 'hall:dev', text: { title?: string; body?: string; repo?: string } = {}): number {
    const { title = 'Add a.txt', body = 'please', repo = REPO } = text;
    const number = this.ada.openIssue(repo, { title, body });
    if (label !== '') this.ada.addLabels(repo, number, [label]);
    return number;
  }

  async worker(instance = 'dev-default'): Promise<WorkerFixture> {
    const known = this.#workers.get(instance);
    if (known) return known;
    const worker = await this.fixture.worker({ instance });
    this.#workers.set(instance, worker);
    return worker;
  }

  /** Claims the next task of an instance, which must have this skill. */
  async claim(skill: string, instance?: string): Promise<Claim> {
    const worker = await this.worker(instance);
    const claim = await until(`there is a task ${skill}`, async () => {
      const { status, body } = await worker.claim();
      return status === 200 && (body as Claim);
    });
    assert.equal(claim.task.skill, skill);
    await worker.mustCall('start', claim);
    return claim;
  }

  /** The agent of a claimed task pushes a commit and says so. */
  async push(
    claim: Claim,
    plan: { branch?: string; files?: Record<string, string>; repo?: string; summary?: string } = {},
  ): Promise<string> {
    this.#pushes += 1;
    const { repo = REPO, files = { 'a.txt': `${this.#pushes}\n` }, summary = 'It is done.' } = plan;
    const branch = plan.branch ?? (await this.#branchOf(claim));
    const commit = await this.forge.control.as('hall').push(repo, { branch, files });
    const worker = await this.worker();
    const report = { outcome: 'pr_created', branch, commit, summary };
    await worker.mustCall('report', claim, report);
    return commit;
  }

  async #branchOf({ task }: Claim): Promise<string> {
    const { thread } = await this.fixture.get(`/v1/threads/${task.thread}`);
    return thread.branch ?? `hall/dev/issue-${thread.issue.number}`;
  }

  /** The prompt of a claimed task, as one text. */
  async prompt(claim: Claim, instance?: string): Promise<string> {
    const { caller } = await this.worker(instance);
    const { body } = await caller.get(`/v1/runs/${claim.run}/brief`);
    return JSON.stringify(body.prompt);
  }

  /** An agent of type reviewer judges the head. */
  async review(verdict: string, more: { details?: string; commit?: string } = {}): Promise<Claim> {
    const claim = await this.claim('review', 'reviewer-default');
    const { thread } = await this.fixture.get(`/v1/threads/${claim.task.thread}`);
    const worker = await this.worker('reviewer-default');
    const outcome = { outcome: 'comment_posted', verdict, summary: 'Looked at it.' };
    await worker.mustCall('report', claim, { ...outcome, commit: thread.head, ...more });
    return claim;
  }

  /** The REST API of the forge. */
  async ask(path: string, method = 'GET'): Promise<Json> {
    const headers = { authorization: `token ${this.#token}` };
    const answer = await fetch(`${this.forge.apiUrl}${path}`, { method, headers });
    return answer.json() as Promise<Json>;
  }

  async comments(number: number, repo = REPO): Promise<readonly Json[]> {
    return (await this.ask(`/repos/${repo}/issues/${number}/comments`)) as Json[];
  }

  /** Waits for a comment of the hall. */
  comment(number: number, pattern: RegExp, repo = REPO): Promise<string> {
    return until(`a comment on ${number} says ${pattern}`, async () => {
      const found = (await this.comments(number, repo)).find(
        ({ body, user }) => pattern.test(body) && /^hall/.test(user.login),
      );
      return found?.body as string | undefined;
    });
  }

  card(number: number, pattern: RegExp, repo = REPO): Promise<string> {
    const card = new RegExp(`^<!-- hall-status -->[\\s\\S]*?(?:${pattern.source})`, pattern.flags);
    return this.comment(number, card, repo);
  }

  /** The open pull request of the repository. */
  pull(repo = REPO): Promise<Json> {
    return until('there is a pull request', async () => {
      const [first] = (await this.ask(`/repos/${repo}/pulls?state=all`)) as Json[];
      return first ?? false;
    });
  }

  async threads(): Promise<readonly Json[]> {
    return (await this.fixture.get('/v1/threads')).threads;
  }

  /** Waits until the only thread, or the one of an issue, is as it should be. */
  thread(condition: string, is: (thread: Json) => boolean, number?: number): Promise<Json> {
    return until(condition, async () => {
      const all = await this.threads();
      const found = all.find((each) => number === undefined || each.issue?.number === number);
      if (!found) return false;
      const { thread } = await this.fixture.get(`/v1/threads/${found.id}`);
      return is(thread) && thread;
    });
  }

  async tasks(): Promise<readonly Json[]> {
    return (await this.fixture.get('/v1/tasks')).tasks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.fixture[Symbol.dispose]();
    await this.hall[Symbol.asyncDispose]();
    await this.forge.close();
    this.#folder[Symbol.dispose]();
  }
}

function installedApp({ control }: ForgeEmulator) {
  const permissions = Object.fromEntries(
    ['contents', 'issues', 'pull_requests', 'checks', 'statuses', 'actions'].map((name) => [
      name,
      'write',
    ]),
  );
  const app = control.addApp({ owner: 'ada', name: 'hall', permissions, events: [] });
  control.installApp(app.id, 'acme');
  return app;
}

/** People, repositories and the account of the hall, whose token is returned. */
async function people(
  { control }: ForgeEmulator,
  kind: ForgeKind,
  repositories: readonly string[],
): Promise<string> {
  for (const login of ['ada', 'bob', 'mallory']) control.addPerson(login);
  const token = control.addPerson('hall');
  control.addOrganization('acme');
  for (const name of repositories) {
    await control.addRepository(name, { files: { 'README.md': 'shop\n' } });
    for (const login of ['ada', 'bob']) control.setRole(name, login, 'write');
    control.setRole(name, 'hall', kind === 'github' ? 'write' : 'admin');
  }
  return token;
}
