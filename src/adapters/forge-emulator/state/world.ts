import type { Git } from '../git/run-git.ts';
import type { CiScript } from './ci-script.ts';
import { EmulatorRefused } from './emulator-refused.ts';
import type { ForgeEvent } from './event.ts';
import type { Account, App, Repository, Team, Token } from './model.ts';

/** The whole state of one forge, and what changes it needs. */
export interface World {
  readonly rules: ForgeRules;
  readonly git: Git;
  /** Holds the bare repositories. */
  readonly folder: string;
  readonly accounts: Map<string, Account>;
  readonly teams: Team[];
  readonly repositories: Repository[];
  readonly tokens: Map<string, Token>;
  readonly apps: App[];
  /** Manifests that wait for their code to be exchanged. */
  readonly manifests: Map<string, unknown>;
  /** Where `Actions` of the forge itself come from. */
  ci: CiScript | null;
  /** Pull requests stay without a known mergeability while this is true. */
  holdsMergeability: boolean;
  readonly now: () => number;
  readonly nextId: (kind: string) => number;
  readonly emit: (event: ForgeEvent) => void;
  /** Work on one repository is done one after another. */
  readonly inOrder: <T>(repository: Repository, work: () => Promise<T>) => Promise<T>;
  /** Goes on beside the request; `idle` waits for it. */
  readonly background: (work: Promise<void>) => void;
  readonly idle: () => Promise<void>;
}

/** How the kinds of forge differ, apart from what they are written like. */
export interface ForgeRules {
  readonly labelsAreUnique: boolean;
  readonly longestComment: number;
  /** A job of the forge's own CI is a check run on GitHub and a commit status elsewhere. */
  readonly jobsAre: 'check_runs' | 'statuses';
  /** GitHub finds out when somebody looks, the others when something changed. */
  readonly mergeabilityIsReadOn: 'look' | 'change';
  /** A pull request whose commits were pushed to its base is merged. */
  readonly pushesMerge: boolean;
  /** A stale head is refused before anything else is looked at. */
  readonly mergeChecksHeadFirst: boolean;
  /** A comment on a line that the diff does not show makes the whole review invalid. */
  readonly reviewsCheckLines: boolean;
  /** A reviewer who has reviewed is no longer asked to. */
  readonly reviewsAnswerRequests: boolean;
  readonly newReviewDismissesOlder: boolean;
  /** A second hook with the same address is refused. */
  readonly hooksAreUnique: boolean;
  readonly newHooksArePinged: boolean;
  /** A comment and each entry of a timeline share one sequence of ids. */
  readonly timelineIds: 'own' | 'comment';
  /** Of the tokens of people. */
  readonly tokenPrefix: string;
}

interface Outside {
  readonly rules: ForgeRules;
  readonly git: Git;
  readonly folder: string;
  readonly now: () => number;
  readonly emit: (event: ForgeEvent) => void;
}

export function createWorld(outside: Outside): World {
  const ids = new Map<string, number>();
  const ends = new Map<Repository, Promise<unknown>>();
  const running = new Set<Promise<void>>();
  return {
    ...outside,
    accounts: new Map(),
    teams: [],
    repositories: [],
    tokens: new Map(),
    apps: [],
    manifests: new Map(),
    ci: null,
    holdsMergeability: false,
    nextId(kind) {
      const id = (ids.get(kind) ?? 0) + 1;
      ids.set(kind, id);
      return id;
    },
    inOrder(repository, work) {
      const before = ends.get(repository) ?? Promise.resolve();
      const after = before.then(work, work);
      ends.set(repository, after);
      return after;
    },
    background(work) {
      const ended = work.finally(() => running.delete(ended));
      running.add(ended);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export function accountCalled({ accounts }: World, login: string): Account {
  const account = accounts.get(login.toLowerCase());
  if (!account) throw new EmulatorRefused('not_found', login);
  return account;
}

/** By its name, or by one that it had. */
export function repositoryCalled(world: World, fullName: string): Repository {
  const name = fullName.toLowerCase();
  const found =
    world.repositories.find((each) => fullNameOf(each).toLowerCase() === name) ??
    world.repositories.find(({ formerNames }) => formerNames.has(name));
  if (!found) throw new EmulatorRefused('not_found', fullName);
  return found;
}

export function fullNameOf({ owner, name }: Repository): string {
  return `${owner.login}/${name}`;
}
