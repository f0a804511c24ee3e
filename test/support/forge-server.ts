import {
  type ForgeEmulator,
  type ForgeKind,
  startForgeEmulator,
} from '../../src/adapters/forge-emulator/emulator.ts';
import type { Exchange } from '../../src/adapters/forge-emulator/http/server.ts';
import { createGitea } from '../../src/adapters/gitea/gitea.ts';
import { createGitHub } from '../../src/adapters/github/github.ts';
import type { Forge } from '../../src/ports/forge.ts';
import { type ForgeClient, type HookReceiver, hookReceiver } from './forge-fixture.ts';
import { createForgePerson, type ForgePerson } from './forge-person.ts';
import { PATH } from './git-fixture.ts';
import { githubFaults } from './github-contract.ts';
import { startRealGitea } from './real-gitea/server.ts';
import { tempFolder } from './temp-folder.ts';

/** The hall's account; two people who may write; one who may not. */
const LOGINS = ['hall', 'ada', 'bob', 'eve'] as const;
type Login = (typeof LOGINS)[number];

interface Rule {
  readonly checks?: readonly string[];
  readonly approvals?: number;
}

/** A forge, real or emulated, with the hall's adapter for it and people who use it beside the hall. */
export interface ForgeServer extends AsyncDisposable {
  /** As in `a real Gitea`. */
  readonly name: string;
  readonly kind: ForgeKind;
  readonly url: string;
  readonly apiUrl: string;
  /** What the hall uses; it acts as `hall`. */
  readonly forge: Forge;
  readonly emulator: ForgeEmulator | null;
  readonly hooks: HookReceiver;
  token(login: Login): string;
  /** A public repository with a file on `main`; the hall is its administrator, ada and bob may write. */
  newRepository(more?: { readonly isPrivate?: boolean }): Promise<string>;
  protect(repo: string, rule: Rule): Promise<void>;
  /** An administrator takes away the weight of a review. */
  dismiss(repo: string, pull: number, review: number): Promise<void>;
  person(login: Login): ForgePerson;
}

export const EMULATED: readonly ForgeKind[] = ['github', 'gitea', 'forgejo'];

const NAMES = { github: 'GitHub', gitea: 'Gitea', forgejo: 'Forgejo' } as const;

export async function emulatedForge(
  kind: ForgeKind,
  more: {
    readonly onExchange?: (exchange: Exchange) => void;
    readonly now?: () => number;
  } = {},
): Promise<ForgeServer> {
  const temp = tempFolder();
  const faults: string[] = [];
  const emulator = await startForgeEmulator({
    ...{ kind, folder: temp.file('forge'), path: PATH, rateLimit: 1_000_000 },
    ...(more.now && { now: more.now }),
    onExchange: (exchange) => {
      if (kind === 'github') faults.push(...githubFaults(exchange));
      more.onExchange?.(exchange);
    },
  });
  const { control } = emulator;
  const tokens = Object.fromEntries(LOGINS.map((login) => [login, control.addPerson(login)]));
  control.addOrganization('acme');
  control.addTeam('acme', 'core', ['ada']);
  control.addTeam('acme', 'bots', ['hall']);
  const hooks = await hookReceiver();
  let made = 0;
  const server = assemble(
    { kind, url: emulator.url, apiUrl: emulator.apiUrl, tokens },
    {
      ...{ name: `an emulated ${NAMES[kind]}`, emulator, hooks },
      async newRepository({ isPrivate = false } = {}) {
        made += 1;
        const repo = `acme/shop-${made}`;
        await control.addRepository(repo, { files: { 'a.txt': 'one\ntwo\n' }, isPrivate });
        control.setRole(repo, 'hall', 'admin');
        for (const login of ['ada', 'bob']) control.setRole(repo, login, 'write');
        return repo;
      },
      async protect(repo, { checks = [], approvals = 0 }) {
        control.protect(repo, 'main', { requiredChecks: checks, requiredApprovals: approvals });
      },
      async dismiss(repo, pull, review) {
        control.as('hall').dismissReview(repo, pull, review);
      },
      async [Symbol.asyncDispose]() {
        await emulator.close();
        await hooks[Symbol.asyncDispose]();
        temp[Symbol.dispose]();
        if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
      },
    },
  );
  return server;
}

/** A real Gitea with its runner; `built` is the folder with the programs. */
export async function realGitea(built: string): Promise<ForgeServer> {
  const hooks = await hookReceiver();
  const gitea = await startRealGitea(built);
  const tokens: Record<string, string> = { boss: gitea.token };
  for (const login of LOGINS) tokens[login] = await gitea.addUser(login);
  await gitea.startRunner();
  const facts = { kind: 'gitea', url: gitea.url, apiUrl: gitea.apiUrl, tokens } as const;
  const boss = createForgePerson(facts, 'boss').ask;
  await boss('POST', '/orgs', { username: 'acme' });
  for (const [name, login] of Object.entries({ core: 'ada' })) {
    const team = { name, permission: 'read', units: ['repo.code'] };
    const { body: created } = await boss('POST', '/orgs/acme/teams', team);
    await boss('PUT', `/teams/${created.id}/members/${login}`);
  }
  // Gitea tells the members of a team only to its members and to owners.
  const { body: teams } = await boss('GET', '/orgs/acme/teams');
  const owners = teams.find(({ name }: { name: string }) => name === 'Owners');
  await boss('PUT', `/teams/${owners.id}/members/hall`);
  return assemble(facts, {
    ...{ name: 'a real Gitea', emulator: null, hooks, ...giteaSetUp(boss) },
    async [Symbol.asyncDispose]() {
      await gitea[Symbol.asyncDispose]();
      await hooks[Symbol.asyncDispose]();
    },
  });
}

/** By the API, as an administrator of the forge. */
function giteaSetUp(boss: ForgeClient): Pick<ForgeServer, 'newRepository' | 'protect' | 'dismiss'> {
  let made = 0;
  return {
    async newRepository({ isPrivate = false } = {}) {
      made += 1;
      const name = `shop-${made}`;
      const plan = { name, auto_init: true, default_branch: 'main', private: isPrivate };
      await boss('POST', '/orgs/acme/repos', plan);
      const content = Buffer.from('one\ntwo\n').toString('base64');
      const file = { content, message: 'Add a.txt', branch: 'main' };
      await boss('POST', `/repos/acme/${name}/contents/a.txt`, file);
      for (const [login, permission] of Object.entries({
        hall: 'admin',
        ada: 'write',
        bob: 'write',
      })) {
        await boss('PUT', `/repos/acme/${name}/collaborators/${login}`, { permission });
      }
      return `acme/${name}`;
    },
    async protect(repo, { checks = [], approvals = 0 }) {
      await boss('POST', `/repos/${repo}/branch_protections`, {
        rule_name: 'main',
        enable_status_check: checks.length > 0,
        status_check_contexts: checks,
        required_approvals: approvals,
      });
    },
    async dismiss(repo, pull, review) {
      const path = `/repos/${repo}/pulls/${pull}/reviews/${review}/dismissals`;
      await boss('POST', path, { message: 'no longer' });
    },
  };
}

interface ServerFacts {
  readonly kind: ForgeKind;
  readonly url: string;
  readonly apiUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
}

type Rest = Omit<ForgeServer, 'kind' | 'url' | 'apiUrl' | 'forge' | 'token' | 'person'>;

function assemble(facts: ServerFacts, rest: Rest): ForgeServer {
  const { kind, url, apiUrl, tokens } = facts;
  const token = (login: string) => tokens[login] ?? '';
  return {
    ...{ kind, url, apiUrl, token, ...rest },
    forge: adapterFor(facts, token('hall')),
    person: (login) => ({ ...createForgePerson(facts, login), ...pushingInside(rest, login) }),
  };
}

/** As the hall makes it from its configuration. */
function adapterFor({ kind, url, apiUrl }: ServerFacts, token: string): Forge {
  const common = { name: kind, url, now: Date.now };
  if (kind === 'github') return createGitHub({ ...common, apiUrl, credential: () => ({ token }) });
  return createGitea({ ...common, kind, token: () => token });
}

/** An emulated forge commits by itself: a clone and a push over HTTP cost a dozen processes more. */
function pushingInside({ emulator }: Rest, login: string): Partial<Pick<ForgePerson, 'push'>> {
  if (!emulator) return {};
  const person = emulator.control.as(login);
  return { push: (repo, branch, files) => person.push(repo, { branch, files }) };
}
