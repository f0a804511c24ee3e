import type { Account, Permission } from './snapshot.ts';

/** Who may make the hall work in a repository, as its forge says at the time of a look. */
export interface Rights {
  /** The hall's own account. What it does triggers nothing. */
  readonly own: Account;
  /** By the id of the account. An account that is not listed has no right. */
  readonly permissions: ReadonlyMap<number, Permission>;
}

/** People with write access. A bot never triggers anything, whatever it may do in the repository. */
export function mayTrigger({ own, permissions }: Rights, account: Account | null): boolean {
  if (account === null || account.isBot || account.id === own.id) return false;
  const permission = permissions.get(account.id) ?? 'none';
  return permission === 'write' || permission === 'admin';
}

/** A label that another bot set counts if the author of the issue has the right. */
export function mayLabel(rights: Rights, by: Account | null, author: Account): boolean {
  if (by?.id === rights.own.id) return false;
  return mayTrigger(rights, by?.isBot ? author : by);
}

/** For events and cards: `github:ada`. */
export function actorOf(repo: string, { login }: Account): string {
  return `${repo.split(':', 1)[0]}:${login}`;
}
