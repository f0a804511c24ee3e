import { typeBoundTo } from '../agent-name.ts';
import type { Board } from '../board.ts';
import { personaOf } from '../persona.ts';
import type { Account, Permission } from './snapshot.ts';

/** Who may make the hall work in a repository, as its forge says at the time of a look. */
export interface Rights {
  /** The hall's own account. What it does triggers nothing. */
  readonly own: Account;
  /** By the id of the account. An account that is not listed has no right. */
  readonly permissions: ReadonlyMap<number, Permission>;
  /** The teams of agents that an account is in, by its id. One that is not listed is in none. */
  readonly teams: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * People in one of the agent's teams, or with write access where it has none. A bot never triggers anything,
 * whatever it may do in the repository.
 */
export function mayTrigger(
  { own, permissions, teams }: Rights,
  account: Account | null,
  teamsOfAgent: readonly string[],
): boolean {
  if (account === null || account.isBot || account.id === own.id) return false;
  if (teamsOfAgent.length > 0) {
    return teamsOfAgent.some((team) => teams.get(account.id)?.has(team) ?? false);
  }
  const permission = permissions.get(account.id) ?? 'none';
  return permission === 'write' || permission === 'admin';
}

/** A label that another bot set counts if the author of the issue has the right. */
export function mayLabel(
  rights: Rights,
  { by, author }: { readonly by: Account | null; readonly author: Account },
  teamsOfAgent: readonly string[],
): boolean {
  if (by?.id === rights.own.id) return false;
  return mayTrigger(rights, by?.isBot ? author : by, teamsOfAgent);
}

/** The teams whose members may ask for an agent: those of its persona. None means whoever may write. */
export function teamsFor(board: Board, agent: string | null): readonly string[] {
  if (agent === null) return [];
  const instance = board.instances.has(agent) ? agent : null;
  const type = typeBoundTo(board, agent) ?? '';
  return personaOf(board, { agent, instance, type })?.settings.teams ?? [];
}

/** For people: what somebody lacks who may not ask for an agent. */
export function neededText(teamsOfAgent: readonly string[]): string {
  if (teamsOfAgent.length === 0) return 'write access to the repository';
  return `membership in ${teamsOfAgent.join(' or ')}`;
}

/** For events and cards: `github:ada`. */
export function actorOf(repo: string, { login }: Account): string {
  return `${repo.split(':', 1)[0]}:${login}`;
}
