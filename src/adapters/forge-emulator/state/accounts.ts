import { createHash } from 'node:crypto';
import type { Account, Caller, Team } from './model.ts';
import { accountCalled, type World } from './world.ts';

export function addAccount(
  world: World,
  login: string,
  more: { readonly kind?: Account['kind']; readonly isAdmin?: boolean } = {},
): Account {
  const known = world.accounts.get(login.toLowerCase());
  if (known) return known;
  const account: Account = {
    id: world.nextId('account'),
    login,
    kind: more.kind ?? 'User',
    email: `${login.replace(/\W/g, '')}@forge.test`,
    isAdmin: more.isAdmin ?? false,
    createdAt: world.now(),
  };
  world.accounts.set(login.toLowerCase(), account);
  return account;
}

export function addTeam(world: World, org: string, slug: string): Team {
  const owner = accountCalled(world, org);
  const known = world.teams.find((team) => team.org === owner && team.slug === slug);
  if (known) return known;
  const team: Team = {
    id: world.nextId('team'),
    org: owner,
    slug,
    members: new Set(),
    roles: new Map(),
  };
  world.teams.push(team);
  return team;
}

/** Members of an organisation are those of its teams. */
export function isMember({ teams }: World, org: Account, account: Account): boolean {
  return teams.some((team) => team.org === org && team.members.has(account));
}

/** The same world makes the same tokens, so that a test can be repeated. */
export function issueToken(
  world: World,
  prefix: string,
  { caller, lasts }: { readonly caller: Caller; readonly lasts: number | null },
): string {
  const seed = `${prefix}${world.nextId('token')} ${world.folder}`;
  const value = `${prefix}${createHash('sha256')
    .update(seed)
    .digest('hex')
    .slice(0, 40 - prefix.length)}`;
  world.tokens.set(value, { caller, expiresAt: lasts === null ? null : world.now() + lasts });
  return value;
}
