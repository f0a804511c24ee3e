import type { Rights } from '../domain/forge/rights.ts';
import type { Account, Permission } from '../domain/forge/snapshot.ts';
import type { Duration } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Forge } from '../ports/forge.ts';

/** A person who loses access can trigger for at most this long; many events of one person cost one call. */
const KEPT_FOR: Duration = 60_000;

interface Needs {
  readonly clock: Clock;
}

export type RightsOf = (
  forge: Forge,
  repo: string,
  accounts: readonly Account[],
) => Promise<Rights>;

/** Asks the forge what accounts may do. Bots and the hall itself trigger nothing, so they cost no call. */
export function createRights({ clock }: Needs): RightsOf {
  const known = new Map<string, { readonly permission: Permission; readonly at: Duration }>();

  async function permissionOf(forge: Forge, repo: string, account: Account): Promise<Permission> {
    const key = `${repo} ${account.id}`;
    const kept = known.get(key);
    if (kept && clock.monotonic() - kept.at < KEPT_FOR) return kept.permission;
    const permission = await forge.permissionOf(repo, account);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(key, { permission, at: clock.monotonic() });
    return permission;
  }

  return async (forge, repo, accounts) => {
    const own = await forge.account();
    const permissions = new Map<number, Permission>();
    for (const account of accounts) {
      if (account.isBot || account.id === own.id || permissions.has(account.id)) continue;
      permissions.set(account.id, await permissionOf(forge, repo, account));
    }
    return { own, permissions };
  };
}

const MAX_KEPT = 10_000;
