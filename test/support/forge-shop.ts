import type { ForgeKind } from '../../src/adapters/forge-emulator/emulator.ts';
import type { Person } from '../../src/adapters/forge-emulator/person.ts';
import { appJwt, type ForgeClient, type ForgeFixture, forgeFixture } from './forge-fixture.ts';

export const SHOP = 'acme/shop';
export const SHOP_PATH = `/repos/${SHOP}`;

type Login = 'boss' | 'dev' | 'stranger';

/** The repository acme/shop: boss is its admin, dev may write, a stranger only reads. */
export interface ForgeShop extends ForgeFixture {
  as(login: Login): Person;
  /** Over REST. */
  rest(login: Login): ForgeClient;
  token(login: Login): string;
}

export const APP_PERMISSIONS = {
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
  checks: 'write',
  statuses: 'write',
  actions: 'write',
  members: 'read',
};

export async function forgeShop(
  kind: ForgeKind,
  more: Parameters<typeof forgeFixture>[1] = {},
): Promise<ForgeShop> {
  const fixture = await forgeFixture(kind, more);
  const { control } = fixture.forge;
  const tokens = {
    boss: control.addPerson('boss'),
    dev: control.addPerson('dev'),
    stranger: control.addPerson('stranger'),
  };
  control.addOrganization('acme');
  control.addTeam('acme', 'core', ['boss', 'dev']);
  await control.addRepository(SHOP, { files: { 'a.txt': 'one\ntwo\n' } });
  control.setRole(SHOP, 'boss', 'admin');
  control.setRole(SHOP, 'dev', 'write');
  return {
    ...fixture,
    as: (login) => control.as(login),
    rest: (login) => fixture.client(tokens[login]),
    token: (login) => tokens[login],
  };
}

/** A pull request of dev from the branch `work`; its number. */
export async function openPull(shop: ForgeShop, body = ''): Promise<number> {
  await shop.as('dev').push(SHOP, { branch: 'work', files: { 'b.txt': 'b\n' } });
  return shop.as('dev').openPull(SHOP, { title: 'Add b', head: 'work', body });
}

export interface InstalledApp {
  readonly id: number;
  readonly login: string;
  readonly asApp: ForgeClient;
  /** With a token for some of the permissions. */
  client(permissions?: Readonly<Record<string, string>>): Promise<ForgeClient>;
}

/** An App of boss, installed on acme. */
export async function installApp(
  { forge, hookUrl, client }: ForgeFixture,
  { now = Date.now(), events = ['issues'] }: { now?: number; events?: readonly string[] } = {},
): Promise<InstalledApp> {
  const { id, login, privateKey } = forge.control.addApp({
    ...{ owner: 'boss', name: 'Guildhall', permissions: APP_PERMISSIONS, events },
    hook: { url: hookUrl, secret: 'hush' },
  });
  const installation = forge.control.installApp(id, 'acme');
  const asApp = client(appJwt(id, privateKey, now));
  return {
    ...{ id, login, asApp },
    async client(permissions) {
      const path = `/app/installations/${installation}/access_tokens`;
      const wish = permissions === undefined ? {} : { permissions };
      return client((await asApp('POST', path, wish)).body.token);
    },
  };
}
