import { createSign } from 'node:crypto';
import { ForgeFailed } from '../../ports/forge.ts';
import type { ProvenRight } from '../../ports/forge-setup.ts';
import { type ForgeAnswer, type ForgeClient, messageIn } from '../forge/client.ts';
import { instantIn, parsed } from '../forge/parse.ts';
import { Installation, InstallationToken } from './schema.ts';

export interface AppCredential {
  readonly id: number;
  /** PEM. */
  readonly key: string;
}

interface Token {
  readonly token: string;
  readonly expiresAt: number;
}

/** GitHub accepts a JWT for at most ten minutes, and clocks differ. */
const JWT_LASTS = 540;
const CLOCK_DIFFERENCE = 60;

/** A token is replaced before it expires under a call. */
const RENEW_BEFORE = 5 * 60_000;

/** Signs in as the App itself, which may only ask for tokens. */
export function appJwt({ id, key }: AppCredential, now: number): string {
  const seconds = Math.floor(now / 1_000);
  const claims = { iat: seconds - CLOCK_DIFFERENCE, exp: seconds + JWT_LASTS, iss: String(id) };
  const unsigned = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(key, 'base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** What an App of the hall is given, and nothing else. */
export const APP_PERMISSIONS = {
  metadata: 'read',
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
  checks: 'write',
  actions: 'write',
  statuses: 'read',
} as const;

/** What each is for, as doctor names it. */
const RIGHTS: Readonly<Record<keyof typeof APP_PERMISSIONS, string>> = {
  metadata: 'find the repository',
  contents: 'push branches',
  issues: 'read and write issues and labels',
  pull_requests: 'open, review and merge pull requests',
  checks: 'read checks and write its own',
  actions: 'read the logs of CI and run failed jobs again',
  statuses: 'read commit statuses',
};

/** Who is in a team. Asked for only where personas name teams. */
export const MEMBERS_PERMISSION = { members: 'read' } as const;

/** The permissions of the hall itself, and of a worker that fetches or pushes one repository. */
const PERMISSIONS = {
  hall: APP_PERMISSIONS,
  read: { contents: 'read', metadata: 'read' },
  write: { contents: 'write', metadata: 'read' },
} as const;

export interface AppTokens {
  /** For the hall's own calls about a repository; kept until shortly before it expires. */
  forHall(repo: string): Promise<string>;
  /** For one run: one repository, least permissions, never shared. */
  forRun(repo: string, right: 'read' | 'write'): Promise<Token>;
  /** For who is in a team of the organisation that has the repository. */
  forMembers(repo: string): Promise<string>;
  /** Asks for a token with each permission by itself: GitHub refuses one that the App was not granted. */
  proveRights(repo: string): Promise<readonly ProvenRight[]>;
}

interface Needs {
  readonly client: Pick<ForgeClient, 'call'>;
  readonly app: AppCredential;
  readonly now: () => number;
}

export function createAppTokens({ client, app, now }: Needs): AppTokens {
  const kept = new Map<string, Token>();
  const installations = new Map<string, number>();

  async function asApp(method: 'GET' | 'POST', path: string, body?: unknown): Promise<ForgeAnswer> {
    const authorization = `Bearer ${appJwt(app, now())}`;
    return client.call({ method, path, authorization, ...(body !== undefined && { body }) });
  }

  async function installationOf(repo: string): Promise<number> {
    const known = installations.get(repo);
    if (known !== undefined) return known;
    const { status, body } = await asApp('GET', `/repos/${repo}/installation`);
    if (status !== 200) {
      throw new ForgeFailed(
        `the GitHub App is not installed on ${repo} (${status}): install it there`,
        { retry: 'never' },
      );
    }
    const { id } = parsed(Installation, body, 'an installation');
    installations.set(repo, id);
    return id;
  }

  async function askFor(repo: string, permissions: object): Promise<ForgeAnswer> {
    const id = await installationOf(repo);
    const [, name] = repo.split('/');
    const plan = { repositories: [name], permissions };
    return asApp('POST', `/app/installations/${id}/access_tokens`, plan);
  }

  async function mint(repo: string, permissions: object): Promise<Token> {
    const { status, body } = await askFor(repo, permissions);
    if (status !== 201) {
      throw new ForgeFailed(`no token for ${repo} (${status}): the App may lack permissions`, {
        retry: 'never',
      });
    }
    const { token, expires_at } = parsed(InstallationToken, body, 'a token');
    return { token, expiresAt: instantIn(expires_at) };
  }

  async function keeping(key: string, make: () => Promise<Token>): Promise<string> {
    const before = kept.get(key);
    if (before && before.expiresAt - now() > RENEW_BEFORE) return before.token;
    const token = await make();
    kept.set(key, token);
    return token.token;
  }

  return {
    forHall: (repo) => keeping(repo, () => mint(repo, PERMISSIONS.hall)),
    forRun: (repo, right) => mint(repo, PERMISSIONS[right]),
    forMembers: (repo) => keeping(`members ${repo}`, () => mint(repo, MEMBERS_PERMISSION)),
    proveRights: (repo) => proveRights((permissions) => askFor(repo, permissions)),
  };
}

async function proveRights(
  askFor: (permissions: object) => Promise<ForgeAnswer>,
): Promise<readonly ProvenRight[]> {
  const rights: ProvenRight[] = [];
  for (const [name, level] of Object.entries(APP_PERMISSIONS)) {
    const { status, body } = await askFor({ [name]: level });
    const right = `${RIGHTS[name as keyof typeof APP_PERMISSIONS]} (${name}: ${level})`;
    const refusal = status === 201 ? null : `GitHub answered ${status}: ${messageIn(body)}`;
    const fix = `give the App the permission ${name}: ${level} in its settings, then accept it where the App is installed`;
    rights.push({ right, refusal, fix });
  }
  return rights;
}
