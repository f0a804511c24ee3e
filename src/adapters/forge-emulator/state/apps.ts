import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { addAccount, issueToken } from './accounts.ts';
import { EmulatorRefused } from './emulator-refused.ts';
import type { Account, App, Installation, Permissions, Repository } from './model.ts';
import { isGranted } from './rights.ts';
import { accountCalled, type World } from './world.ts';

export interface NewApp {
  readonly owner: Account;
  readonly name: string;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly hook: { readonly url: string; readonly secret: string } | null;
}

/** An App and its private key, which the forge does not keep. */
export function createApp(world: World, plan: NewApp): { app: App; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const id = world.nextId('app');
  const slug = plan.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const app: App = {
    ...{ id, slug, name: plan.name, owner: plan.owner, publicKey, hook: plan.hook },
    bot: addAccount(world, `${slug}[bot]`, { kind: 'Bot' }),
    clientId: `Iv1.${createHash('sha256').update(slug).digest('hex').slice(0, 16)}`,
    ...{ permissions: plan.permissions, events: plan.events, installations: [] },
    createdAt: world.now(),
  };
  world.apps.push(app);
  return { app, privateKey };
}

export function installApp(
  world: World,
  app: App,
  {
    on,
    repositories,
  }: { readonly on: string; readonly repositories: readonly Repository[] | null },
): Installation {
  const account = accountCalled(world, on);
  const installation: Installation = {
    ...{ id: world.nextId('installation'), app, account, permissions: app.permissions },
    repositories: repositories && new Set(repositories),
    createdAt: world.now(),
  };
  app.installations.push(installation);
  const repository = world.repositories.find(({ owner }) => owner === account);
  if (repository) world.emit({ is: 'installed', repository, sender: app.owner, installation });
  return installation;
}

export function installationNumbered(app: App, id: number): Installation {
  const found = app.installations.find((each) => each.id === id);
  if (!found) throw new EmulatorRefused('not_found', `installation ${id}`);
  return found;
}

const HOUR = 3_600_000;

/** A token for one hour, for some of the installation's repositories and permissions, never more. */
export function createInstallationToken(
  world: World,
  installation: Installation,
  wish: { readonly repositories: readonly Repository[] | null; readonly permissions: Permissions },
): { token: string; expiresAt: number; permissions: Permissions } {
  const permissions =
    Object.keys(wish.permissions).length > 0 ? wish.permissions : installation.permissions;
  for (const [name, level] of Object.entries(permissions)) {
    if (!isGranted(installation.permissions, `${name}:${level}`)) {
      throw new EmulatorRefused('invalid', 'permissions');
    }
  }
  const { account, repositories } = installation;
  for (const repository of wish.repositories ?? []) {
    const isIn = repository.owner === account && (repositories?.has(repository) ?? true);
    if (!isIn) throw new EmulatorRefused('invalid', 'repositories');
  }
  const caller = {
    is: 'installation',
    ...{ installation, account: installation.app.bot, permissions },
    repositories: wish.repositories && new Set(wish.repositories),
  } as const;
  const token = issueToken(world, 'ghs_', { caller, lasts: HOUR });
  return { token, expiresAt: world.now() + HOUR, permissions };
}

const LONGEST_JWT = 600;

/** The App that signed this token, by RS256 and for at most ten minutes. */
export function appOfJwt(world: World, jwt: string): App {
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const { alg } = decoded(head);
  const { iss, exp, iat } = decoded(claims);
  const app = world.apps.find(({ id, clientId }) => [String(id), clientId].includes(String(iss)));
  if (!app || alg !== 'RS256') throw new EmulatorRefused('bad_credentials');
  const key = createPublicKey(app.publicKey);
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  );
  const now = world.now() / 1_000;
  const isInTime =
    Number(exp) > now && Number(exp) <= now + LONGEST_JWT + 1 && Number(iat) <= now + 1;
  if (!isSigned || !isInTime) throw new EmulatorRefused('bad_credentials');
  return app;
}

function decoded(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch (error) {
    // Without an issuer it is refused like any other that nobody signed.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
