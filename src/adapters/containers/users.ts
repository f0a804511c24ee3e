import { createHash } from 'node:crypto';
import type { Tenant } from '../../ports/cell.ts';
import type { UnixUser } from '../cell/layout.ts';
import type { Engine } from './engine.ts';

/** Who the programs of one container are. */
export interface Users {
  /** Options of the container that make it so. */
  readonly options: readonly string[];
  readonly inside: UnixUser;
  readonly onHost: UnixUser;
  /** Neither of the agent's nor of anybody: the first process, which nothing of the agent can touch. */
  readonly initUid: number;
  /**
   * The first of the groups that programs are told apart by: each has one of its own, which a process
   * without capabilities can neither leave nor enter.
   */
  readonly firstGroup: number;
  /** Namespaces that the runtime does not give a container for itself. */
  readonly sharedNamespaces: readonly string[];
}

/** A range that systemd's list of users keeps free, above the one that sandboxes take theirs from. */
const FREE_UIDS = 0x7ff0_0000;
const RANGE = 65_536;

/**
 * The same tenant has the same user every time, because its caches belong to it; two have different
 * ones, so that neither could read the other's even past a wall. Whoever owned the folder before owns it
 * again.
 */
export function usersOf(
  { kind }: Engine,
  tenant: Pick<Tenant, 'instance' | 'project'>,
  previous?: UnixUser,
): Users {
  const processUid = process.getuid?.() ?? 0;
  const hash = hashOf(tenant);
  if (kind === 'podman' && processUid === 0) {
    const isKnown =
      previous !== undefined && previous.uid > FREE_UIDS && previous.uid < FREE_UIDS + RANGE;
    const uid = isKnown ? previous.uid - FREE_UIDS : 1_000 + (hash % 20_000);
    return {
      options: ['--uidmap', `0:${FREE_UIDS}:${RANGE}`, '--gidmap', `0:${FREE_UIDS}:${RANGE}`],
      inside: { uid, gid: uid },
      onHost: { uid: FREE_UIDS + uid, gid: FREE_UIDS + uid },
      initUid: 60_000,
      firstGroup: 30_000,
      sharedNamespaces: [],
    };
  }
  const uid = processUid === 0 ? (previous?.uid ?? 0x7000_0000 + (hash % 0xff0_0000)) : processUid;
  const user = { uid, gid: processUid === 0 ? uid : (process.getgid?.() ?? 0) };
  return {
    options: kind === 'podman' ? ['--userns', 'keep-id'] : [],
    inside: user,
    onHost: user,
    initUid: kind === 'podman' ? 60_000 : FREE_UIDS,
    firstGroup: kind === 'podman' ? 30_000 : FREE_UIDS + 1,
    sharedNamespaces: kind === 'podman' ? [] : ['user'],
  };
}

function hashOf({ instance, project }: Pick<Tenant, 'instance' | 'project'>): number {
  return createHash('sha256').update(`${instance}\0${project}`).digest().readUInt32BE();
}
