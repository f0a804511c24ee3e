import { createHash } from 'node:crypto';
import type { Tenant } from '../../ports/cell.ts';
import type { Owner } from '../cell/layout.ts';
import type { Runtime } from './runtime.ts';

/** Who the programs of one container are. */
export interface Users {
  /** Options of the container that make it so. */
  readonly options: readonly string[];
  readonly inside: Owner;
  readonly onHost: Owner;
  /** Neither of the agent's nor of anybody: the first process, which nothing of the agent can touch. */
  readonly keeper: number;
  /**
   * The first of the groups that programs are told apart by: each has one of its own, which a process
   * without capabilities can neither leave nor enter.
   */
  readonly firstGroup: number;
  /** Namespaces that the runtime does not give a container for itself. */
  readonly shared: readonly string[];
}

/** A range that systemd's list of users keeps free, above the one that sandboxes take theirs from. */
const FREE = 0x7ff0_0000;
const RANGE = 65_536;

/**
 * The same tenant has the same user every time, because its caches belong to it; two have different
 * ones, so that neither could read the other's even past a wall. Whoever owned the folder before owns it
 * again.
 */
export function usersOf(
  { kind }: Runtime,
  tenant: Pick<Tenant, 'instance' | 'project'>,
  before?: Owner,
): Users {
  const own = process.getuid?.() ?? 0;
  const spread = numberOf(tenant);
  if (kind === 'podman' && own === 0) {
    const isKnown = before !== undefined && before.uid > FREE && before.uid < FREE + RANGE;
    const uid = isKnown ? before.uid - FREE : 1_000 + (spread % 20_000);
    return {
      options: ['--uidmap', `0:${FREE}:${RANGE}`, '--gidmap', `0:${FREE}:${RANGE}`],
      inside: { uid, gid: uid },
      onHost: { uid: FREE + uid, gid: FREE + uid },
      keeper: 60_000,
      firstGroup: 30_000,
      shared: [],
    };
  }
  const uid = own === 0 ? (before?.uid ?? 0x7000_0000 + (spread % 0xff0_0000)) : own;
  const owner = { uid, gid: own === 0 ? uid : (process.getgid?.() ?? 0) };
  return {
    options: kind === 'podman' ? ['--userns', 'keep-id'] : [],
    inside: owner,
    onHost: owner,
    keeper: kind === 'podman' ? 60_000 : FREE,
    firstGroup: kind === 'podman' ? 30_000 : FREE + 1,
    shared: kind === 'podman' ? [] : ['user'],
  };
}

function numberOf({ instance, project }: Pick<Tenant, 'instance' | 'project'>): number {
  return createHash('sha256').update(`${instance}\0${project}`).digest().readUInt32BE();
}
