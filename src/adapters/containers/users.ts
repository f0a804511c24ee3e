import { createHash, randomInt } from 'node:crypto';
import type { Tenant } from '../../ports/cell.ts';
import type { UnixUser } from '../cell/layout.ts';
import type { Engine } from './engine.ts';

/** The users that programs of one container run as. */
export interface Users {
  /** Container options that set them. */
  readonly options: readonly string[];
  readonly inside: UnixUser;
  readonly onHost: UnixUser;
  /** The user of the first process: not the agent's, so the agent cannot touch it. */
  readonly initUid: number;
  /**
   * The first of the groups that tell programs apart. Each program has its own, which a process without
   * capabilities can neither leave nor enter.
   */
  readonly firstGroup: number;
  /** Namespaces that the runtime shares with the host. */
  readonly sharedNamespaces: readonly string[];
}

/** A range that systemd's list of users keeps free, above the one used for sandboxes. */
const FREE_UIDS = 0x7ff0_0000;
const RANGE = 65_536;

/**
 * A tenant with caches always has the same user, because that user owns them; without, each cell has its
 * own. Two cells of different tenants have different users, so neither could read or kill what belongs to
 * the other even if the isolation failed. A folder that already has an owner keeps it.
 */
export function usersOf(
  { kind }: Engine,
  tenant: Pick<Tenant, 'instance' | 'project'>,
  previous?: UnixUser,
): Users {
  const processUid = process.getuid?.() ?? 0;
  const hash = tenant.project === null ? randomInt(2 ** 32) : hashOf(tenant);
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
    // A daemon may be set up to map users, which knows only 65,536 of them.
    options: ['--userns', kind === 'podman' ? 'keep-id' : 'host'],
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
