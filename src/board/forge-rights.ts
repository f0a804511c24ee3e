import type { Rights } from '../domain/forge/rights.ts';
import type { Account, Permission } from '../domain/forge/snapshot.ts';
import type { Duration } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Forge } from '../ports/forge.ts';
import type { Log } from '../ports/log.ts';
import { forgeFault } from './forge-fault.ts';

/** A person who loses access can trigger for at most this long; many events of one person cost one call. */
const KEPT_FOR: Duration = 60_000;

interface Needs {
  readonly clock: Clock;
  readonly log: Log;
}

interface Asked {
  readonly accounts: readonly Account[];
  /** The teams that matter. */
  readonly teams: readonly string[];
}

export type RightsOf = (forge: Forge, repo: string, asked: Asked) => Promise<Rights>;

/** Asks the forge what accounts may do. Bots and the hall itself trigger nothing, so they cost no call. */
export function createRights({ clock, log }: Needs): RightsOf {
  const permissionsKept = new KeptAnswers<Permission>(clock);
  const teamsKept = new KeptAnswers<boolean>(clock);

  async function teamsOf(
    forge: Forge,
    repo: string,
    { account, teams }: { readonly account: Account; readonly teams: readonly string[] },
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const team of teams) {
      const ask = () => isInTeam({ forge, log }, repo, { team, account });
      if (await teamsKept.get(`${repo} ${team} ${account.id}`, ask)) found.add(team);
    }
    return found;
  }

  return async (forge, repo, { accounts, teams: wanted }) => {
    const own = await forge.account();
    const permissions = new Map<number, Permission>();
    const teams = new Map<number, ReadonlySet<string>>();
    for (const account of accounts) {
      if (account.isBot || account.id === own.id || permissions.has(account.id)) continue;
      const ask = () => forge.permissionOf(repo, account);
      permissions.set(account.id, await permissionsKept.get(`${repo} ${account.id}`, ask));
      teams.set(account.id, await teamsOf(forge, repo, { account, teams: wanted }));
    }
    return { own, permissions, teams };
  };
}

interface Membership {
  readonly team: string;
  readonly account: Account;
}

/** A team that the hall may not see has no members, as far as the hall is concerned. */
async function isInTeam(
  { forge, log }: { readonly forge: Forge; readonly log: Log },
  repo: string,
  { team, account }: Membership,
): Promise<boolean> {
  let isMember = false;
  const fault = await forgeFault(async () => {
    isMember = await forge.isInTeam(repo, team, account);
  });
  if (fault?.retry === 'later') throw fault;
  if (fault !== null) {
    log.error('team cannot be seen, so nobody in it may start an agent', {
      repo,
      team,
      fault: fault.message,
    });
  }
  return isMember;
}

const MAX_KEPT = 10_000;

class KeptAnswers<T> {
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly answer: T; readonly at: Duration }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.#known.get(key);
    if (kept && this.#clock.monotonic() - kept.at < KEPT_FOR) return kept.answer;
    const answer = await ask();
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    this.#known.set(key, { answer, at: this.#clock.monotonic() });
    return answer;
  }
}
