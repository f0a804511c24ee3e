import { createHmac, randomUUID } from 'node:crypto';
import type { ForgeEmulator } from '../../src/adapters/forge-emulator/emulator.ts';
import { startForgeEmulator } from '../../src/adapters/forge-emulator/emulator.ts';
import type { Exchange } from '../../src/adapters/forge-emulator/http/server.ts';
import { PATH } from './git-fixture.ts';
import { HallFixture, type Json, until } from './hall-fixture.ts';
import { HallInProcess } from './hall-in-process.ts';
import { tempFolder } from './temp-folder.ts';
import { DEV } from './worker-fixture.ts';

const SECRET = 'hush-hush-hush';

interface FollowedOptions {
  /** How often the hall reads the repository by itself; an hour if left out, which is never. */
  readonly poll?: string;
  readonly project?: object;
}

/** A hall in this process that follows a repository on an emulated GitHub; agents are played by the test. */
export class FollowedRepository implements AsyncDisposable {
  readonly repo: string;
  readonly forge: ForgeEmulator;
  readonly fixture: HallFixture;
  /** Every call of the hall to the forge, oldest first. */
  readonly calls: Exchange[];
  readonly #undo: AsyncDisposableStack;

  private constructor(
    parts: Pick<FollowedRepository, 'repo' | 'forge' | 'fixture' | 'calls'>,
    undo: AsyncDisposableStack,
  ) {
    this.repo = parts.repo;
    this.forge = parts.forge;
    this.fixture = parts.fixture;
    this.calls = parts.calls;
    this.#undo = undo;
  }

  static async open(repo: string, options: FollowedOptions = {}): Promise<FollowedRepository> {
    await using undo = new AsyncDisposableStack();
    const folder = undo.use(tempFolder());
    const calls: Exchange[] = [];
    const forge = undo.use(
      await startForgeEmulator({
        ...{ kind: 'github', folder: folder.file('forge'), path: PATH, rateLimit: 1_000_000 },
        onExchange: (exchange) => calls.push(exchange),
      }),
    );
    const token = await layOutForge(forge, repo);
    const every = options.poll ?? '1h';
    const hall = undo.use(
      await HallInProcess.start({
        env: { FORGE_TOKEN: token, HOOK_SECRET: SECRET },
        types: { dev: DEV },
        hall: { max_recruits: 0 },
        forges: {
          github: {
            ...{ kind: 'github', url: forge.url, api_url: forge.apiUrl, token: '$FORGE_TOKEN' },
            ...{ webhook_secret: '$HOOK_SECRET', poll: { active: every, idle: every } },
          },
        },
        declared: [{ name: 'shop', repo: `github:${repo}`, ...options.project }],
      }),
    );
    const fixture = undo.use(new HallFixture<HallInProcess>(hall)) as unknown as HallFixture;
    await until('the repository was read', () =>
      calls.some(({ path }) => path.endsWith('/issues')),
    );
    const parts = { repo, forge, fixture, calls };
    return new FollowedRepository(parts, undo.move());
  }

  /** Sends a delivery as GitHub does; the status of the answer. */
  async deliver(event: string, payload: unknown, id: string = randomUUID()): Promise<number> {
    const body = JSON.stringify(payload);
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const { status } = await fetch(`${this.fixture.hall.url}/v1/webhooks/github`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    });
    return status;
  }

  /** The forge sends its own deliveries to the hall. */
  hook(): void {
    const url = `${this.fixture.hall.url}/v1/webhooks/github`;
    const events = ['issues', 'issue_comment', 'pull_request', 'pull_request_review', 'status'];
    this.forge.control.addHook(this.repo, { url, secret: SECRET, events });
  }

  /** No look is asked for and none is under way. */
  async lookedAt(): Promise<void> {
    await this.forge.idle();
    await until('every delivery was looked at', async () => {
      const { events } = await this.fixture.get('/v1/events?limit=1000&order=oldest');
      const asked = new Set<string>();
      for (const { type, facts } of events as Json[]) {
        if (type === 'LookRequested') asked.add(`${facts.repo}#${facts.number}`);
        if (type === 'LookDone') asked.delete(facts.issue);
      }
      return asked.size === 0;
    });
  }

  async tasks(): Promise<readonly Json[]> {
    return (await this.fixture.get('/v1/tasks?limit=200')).tasks;
  }

  /** How often the hall looked at an issue or pull request since a moment in `calls`. */
  looksAt(number: number, since = 0): number {
    const path = `/repos/${this.repo}/issues/${number}`;
    return this.calls.slice(since).filter((call) => call.method === 'GET' && call.path === path)
      .length;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#undo.disposeAsync();
  }
}

/** Ada may write, eve may not, and the hall has an account of its own, whose token this is. */
async function layOutForge({ control }: ForgeEmulator, repo: string): Promise<string> {
  const [owner = ''] = repo.split('/');
  for (const login of ['ada', 'eve']) control.addPerson(login);
  const token = control.addPerson('hall');
  control.addOrganization(owner);
  await control.addRepository(repo, { files: { 'a.txt': 'one\n' } });
  control.setRole(repo, 'ada', 'write');
  control.setRole(repo, 'hall', 'write');
  return token;
}
