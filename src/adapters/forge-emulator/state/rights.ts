import { EmulatorRefused } from './emulator-refused.ts';
import {
  type Account,
  type Caller,
  FORGE_ROLES,
  type Installation,
  type Issue,
  type Permissions,
  type Repository,
  type Role,
} from './model.ts';
import type { World } from './world.ts';

/** A person needs the role, an App one of the permissions. */
interface Need {
  readonly role: Role;
  readonly app: readonly string[];
}

const EITHER = ['issues:write', 'pull_requests:write'];

/** What each thing that somebody does asks for. */
export const NEEDS = {
  read: { role: 'read', app: ['metadata:read'] },
  readIssues: { role: 'read', app: ['issues:read', 'pull_requests:read'] },
  readPulls: { role: 'read', app: ['pull_requests:read'] },
  readChecks: { role: 'read', app: ['checks:read'] },
  readStatuses: { role: 'read', app: ['statuses:read'] },
  readActions: { role: 'read', app: ['actions:read'] },
  readContents: { role: 'read', app: ['contents:read'] },
  readMembers: { role: 'none', app: ['members:read'] },
  openIssue: { role: 'read', app: ['issues:write'] },
  comment: { role: 'read', app: EITHER },
  triage: { role: 'triage', app: EITHER },
  editLabels: { role: 'write', app: EITHER },
  openPull: { role: 'write', app: ['pull_requests:write'] },
  review: { role: 'read', app: ['pull_requests:write'] },
  editPull: { role: 'write', app: ['pull_requests:write'] },
  push: { role: 'write', app: ['contents:write'] },
  setStatus: { role: 'write', app: ['statuses:write'] },
  rerun: { role: 'write', app: ['actions:write'] },
  readHooks: { role: 'admin', app: ['repository_hooks:read'] },
  editHooks: { role: 'admin', app: ['repository_hooks:write'] },
  readProtection: { role: 'admin', app: ['administration:read'] },
} as const satisfies Record<string, Need>;

const LEVELS: readonly string[] = ['read', 'write', 'admin'];

/** Throws unless the caller may do this; who may not even read is told that there is nothing. */
export function requireRight(
  world: World,
  { caller, repository }: { readonly caller: Caller; readonly repository: Repository },
  need: Need,
): void {
  if (!mayRead(world, caller, repository)) throw new EmulatorRefused('not_found', repository.name);
  if (caller.is === 'installation') {
    const covers = isCovered(caller, repository);
    if (!covers && need.role !== 'read') throw new EmulatorRefused('app_lacks_permission');
    const isPublicRead = need.role === 'read' && !covers;
    if (isPublicRead || need.app.some((each) => isGranted(caller.permissions, each))) return;
    throw new EmulatorRefused('app_lacks_permission', need.app.join(' or '));
  }
  if (caller.is === 'app') throw new EmulatorRefused('bad_credentials');
  const role = caller.is === 'person' ? roleOf(world, repository, caller.account) : 'read';
  if (caller.is === 'anonymous' && !ANONYMOUS.includes(need))
    throw new EmulatorRefused('bad_credentials');
  if (!includes(role, need.role)) throw new EmulatorRefused('forbidden', need.role);
}

/** What anybody may see of a public repository. */
const ANONYMOUS: readonly Need[] = Object.entries(NEEDS)
  .filter(([name]) => name.startsWith('read'))
  .map(([, need]) => need);

/** The author of an issue or pull request may edit it without any role. */
export function requireAuthorOr(world: World, caller: Caller, issue: Issue): void {
  const need = issue.pull ? NEEDS.editPull : NEEDS.triage;
  const { repository } = issue;
  const isAuthor = caller.is === 'person' && caller.account === issue.author;
  requireRight(world, { caller, repository }, isAuthor ? NEEDS.comment : need);
}

function mayRead(world: World, caller: Caller, repository: Repository): boolean {
  if (!repository.isPrivate) return true;
  if (caller.is === 'installation') return isCovered(caller, repository);
  return caller.is === 'person' && roleOf(world, repository, caller.account) !== 'none';
}

/** The strongest of what the account, the repository and the teams give. */
export function roleOf({ teams }: World, repository: Repository, account: Account): Role {
  const { owner, collaborators, isPrivate, id } = repository;
  if (account.isAdmin || account === owner) return 'admin';
  const roles = [
    isPrivate ? 'none' : 'read',
    collaborators.get(account) ?? 'none',
    ...teams
      .filter(({ members, org }) => org === owner && members.has(account))
      .map(({ roles: given }) => given.get(id) ?? 'none'),
  ] as const;
  return roles.reduce<Role>((best, role) => (includes(role, best) ? role : best), 'none');
}

export function includes(role: Role, needed: Role): boolean {
  return FORGE_ROLES.indexOf(role) >= FORGE_ROLES.indexOf(needed);
}

export function isCovered(
  { installation, repositories }: CoveredBy,
  repository: Repository,
): boolean {
  const among = repositories ?? installation.repositories;
  return repository.owner === installation.account && (among === null || among.has(repository));
}

interface CoveredBy {
  readonly installation: Installation;
  readonly repositories: ReadonlySet<Repository> | null;
}

export function isGranted(permissions: Permissions, need: string): boolean {
  const [name = '', level = ''] = need.split(':');
  if (name === 'metadata') return true;
  return LEVELS.indexOf(permissions[name] ?? '') >= LEVELS.indexOf(level);
}

/** The account in whose name the caller acts. */
export function actorOf(caller: Caller): Account {
  if (caller.is === 'person' || caller.is === 'installation') return caller.account;
  throw new EmulatorRefused('bad_credentials');
}
