import { actAs, type Person } from './person.ts';
import { addAccount, addTeam, issueToken } from './state/accounts.ts';
import { concludeJob } from './state/actions.ts';
import { createApp, installApp, type NewApp } from './state/apps.ts';
import type { CiScript } from './state/ci-script.ts';
import { addHook, type HookFacts } from './state/hooks.ts';
import { computeMergeability } from './state/mergeability.ts';
import type { Account, Permissions, Protection, Role } from './state/model.ts';
import { protectBranch } from './state/protections.ts';
import { createRepository, forkRepository, renameRepository } from './state/repositories.ts';
import { accountCalled, repositoryCalled, type World } from './state/world.ts';

/** Sets the scene of a test or a demonstration. Nothing here is asked for its rights. */
export interface ForgeControl {
  /** A person, and a token that stands for all that the person may do. */
  addPerson(login: string, more?: { readonly isAdmin?: boolean }): string;
  addOrganization(login: string): void;
  addTeam(org: string, slug: string, members: readonly string[]): void;
  /** Another token of the same account. */
  token(login: string): string;
  revoke(token: string): void;
  addRepository(fullName: string, more?: NewRepository): Promise<void>;
  fork(fullName: string, login: string): Promise<void>;
  renameRepository(fullName: string, name: string): void;
  setRole(fullName: string, login: string, role: Role): void;
  setTeamRole(fullName: string, slug: string, role: Role): void;
  protect(fullName: string, branch: string, protection: Partial<Protection>): void;
  unprotect(fullName: string, branch: string): void;
  addHook(fullName: string, facts: Pick<HookFacts, 'url' | 'secret' | 'events'>): void;
  addApp(plan: AppPlan): AppCredentials;
  /** The id of the installation. */
  installApp(id: number, on: string, repositories?: readonly string[]): number;
  /** A person who acts as on the pages of the forge. */
  as(login: string): Person;
  setCi(script: CiScript | null): void;
  /** Ends a job that the script of CI left running. */
  concludeJob(fullName: string, job: JobResult): void;
  /** While held, no pull request is known to be mergeable or not. */
  holdMergeability(isHeld: boolean): void;
  /** The commit of a branch, or null. */
  tip(fullName: string, branch: string): string | null;
}

interface NewRepository {
  readonly isPrivate?: boolean;
  readonly files?: Readonly<Record<string, string>>;
}

interface AppPlan {
  readonly owner: string;
  readonly name: string;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly hook?: NewApp['hook'];
}

interface AppCredentials {
  readonly id: number;
  readonly login: string;
  readonly privateKey: string;
}

interface JobResult {
  readonly sha: string;
  readonly name: string;
  readonly conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out';
  readonly log?: string;
}

const OPEN: Protection = {
  requiredChecks: [],
  requiredApprovals: 0,
  dismissesStale: false,
  blocksOnRejection: false,
};

export function createControl(
  world: World,
  hookEvents: (asked: readonly string[]) => string[],
): ForgeControl {
  return {
    ...peopleControl(world),
    ...repositoryControl(world, hookEvents),
    ...ciControl(world),
  };
}

type PeopleControl = Pick<
  ForgeControl,
  'addPerson' | 'addOrganization' | 'addTeam' | 'token' | 'revoke' | 'addApp' | 'installApp' | 'as'
>;

function peopleControl(world: World): PeopleControl {
  const tokenOf = (account: Account) =>
    issueToken(world, world.rules.tokenPrefix, { caller: { is: 'person', account }, lasts: null });
  return {
    addPerson: (login, more) => tokenOf(addAccount(world, login, more)),
    addOrganization(login) {
      addAccount(world, login, { kind: 'Organization' });
    },
    addTeam(org, slug, members) {
      const team = addTeam(world, org, slug);
      for (const login of members) team.members.add(accountCalled(world, login));
    },
    token: (login) => tokenOf(accountCalled(world, login)),
    revoke(token) {
      world.tokens.delete(token);
    },
    addApp({ owner, name, permissions, events, hook = null }) {
      const plan = { owner: accountCalled(world, owner), name, permissions, events, hook };
      const { app, privateKey } = createApp(world, plan);
      return { id: app.id, login: app.bot.login, privateKey };
    },
    installApp(id, on, repositories) {
      const app = world.apps.find((each) => each.id === id);
      if (!app) throw new Error(`there is no App ${id}`);
      const among = repositories?.map((name) => repositoryCalled(world, name)) ?? null;
      return installApp(world, app, { on, repositories: among }).id;
    },
    as: (login) => actAs(world, login),
  };
}

type RepositoryControl = Omit<ForgeControl, keyof PeopleControl | keyof CiControl>;

function repositoryControl(
  world: World,
  hookEvents: (asked: readonly string[]) => string[],
): RepositoryControl {
  return {
    async addRepository(fullName, { isPrivate = false, files = {} } = {}) {
      const [login = '', name = ''] = fullName.split('/');
      const owner = accountCalled(world, login);
      await createRepository(world, { owner, name, isPrivate, files });
    },
    async fork(fullName, login) {
      const original = repositoryCalled(world, fullName);
      await forkRepository(world, original, accountCalled(world, login));
    },
    renameRepository(fullName, name) {
      const repository = repositoryCalled(world, fullName);
      renameRepository(world, repository, { name, sender: repository.owner });
    },
    setRole(fullName, login, role) {
      repositoryCalled(world, fullName).collaborators.set(accountCalled(world, login), role);
    },
    setTeamRole(fullName, slug, role) {
      const repository = repositoryCalled(world, fullName);
      addTeam(world, repository.owner.login, slug).roles.set(repository.id, role);
    },
    protect(fullName, branch, protection) {
      const repository = repositoryCalled(world, fullName);
      protectBranch(world, { repository, branch }, { ...OPEN, ...protection });
    },
    unprotect(fullName, branch) {
      protectBranch(world, { repository: repositoryCalled(world, fullName), branch }, null);
    },
    addHook(fullName, { url, secret, events }) {
      const facts = { url, secret, events: hookEvents(events), isActive: true };
      addHook(world, repositoryCalled(world, fullName), facts);
    },
    tip: (fullName, branch) => repositoryCalled(world, fullName).branches.get(branch) ?? null,
  };
}

type CiControl = Pick<ForgeControl, 'setCi' | 'concludeJob' | 'holdMergeability'>;

function ciControl(world: World): CiControl {
  return {
    setCi(script) {
      world.ci = script;
    },
    concludeJob(fullName, { sha, name, conclusion, log = '' }) {
      const job = repositoryCalled(world, fullName)
        .workflowRuns.filter((run) => run.sha === sha)
        .flatMap(({ jobs }) => jobs)
        .findLast((each) => each.name === name && each.conclusion === null);
      if (!job) throw new Error(`no job ${name} is running for ${sha} in ${fullName}`);
      concludeJob(world, job, { conclusion, log });
    },
    holdMergeability(isHeld) {
      world.holdsMergeability = isHeld;
      if (isHeld || world.rules.mergeabilityIsReadOn === 'look') return;
      const waiting = world.repositories
        .flatMap(({ issues }) => [...issues.values()])
        .filter(({ isOpen, pull }) => isOpen && pull?.mergeability === 'unknown');
      for (const issue of waiting) world.background(computeMergeability(world, issue));
    },
  };
}
