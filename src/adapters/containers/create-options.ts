import type { Limits } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import type { CellMount } from '../cell/mounts.ts';
import type { Engine } from './engine.ts';
import { limitOptions, ulimitOptions } from './limit-options.ts';
import { OWNER_LABEL, thisOwner } from './owner.ts';
import type { Users } from './users.ts';

/** Everything that defines a container. */
export interface ContainerSpec {
  readonly image: string;
  readonly users: Users;
  readonly mounts: readonly CellMount[];
  /** Enforced by control groups. */
  readonly limits: Limits;
  /** Counted by us instead. */
  readonly polled: Limits;
  /** A file on the host. */
  readonly filter: string | undefined;
  /** Arguments of the first process, after /bin/sh. */
  readonly init: readonly string[];
  readonly project: string | null;
}

/** Marks a container as ours, whatever its name. */
export const LABEL = 'guildhall.cell';

/** The complete list of options; no plan can add one. */
export function createArguments(engine: Engine, spec: ContainerSpec): string[] {
  const { users, filter } = spec;
  const isPodman = engine.kind === 'podman';
  return [
    ...['--label', LABEL, '--label', `${LABEL}.project=${spec.project ?? ''}`],
    ...['--label', `${OWNER_LABEL}=${thisOwner()}`],
    ...['--pull', 'never', '--hostname', 'cell', '--log-driver', 'none'],
    ...['--network', 'none', '--ipc', 'private', '--cgroupns', 'private', '--stop-timeout', '0'],
    ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    // Ignore what an image requests beyond its files: a volume of its own would outlive the run.
    ...['--no-healthcheck'],
    ...(isPodman ? ['--read-only-tmpfs=false', '--no-hosts', '--image-volume=ignore'] : []),
    ...(filter === undefined ? [] : ['--security-opt', `seccomp=${filter}`]),
    ...users.options,
    ...['--user', `${users.initUid}:${users.initUid}`, '--workdir', '/'],
    ...ulimitOptions(spec.polled),
    ...limitOptions(spec.limits),
    ...spec.mounts.flatMap(mountOptions),
    // Otherwise a container sees its control groups, and through them its host.
    ...['--tmpfs', '/sys:ro,size=4k,mode=0555', '--tmpfs', '/sys/fs/cgroup:ro,size=4k,mode=0000'],
    ...['--entrypoint', '/bin/sh', spec.image, ...spec.init],
  ];
}

/** Mount points and files that the engine adds by itself. */
export function engineMounts({ kind }: Engine): string[] {
  const mark = kind === 'podman' ? '/run/.containerenv' : '/.dockerenv';
  return [mark, '/sys', '/etc/hostname', '/etc/mtab'];
}

function mountOptions(mount: CellMount): string[] {
  switch (mount.kind) {
    case 'ro':
      return [
        '--mount',
        `type=bind,src=${mountablePath(mount.from)},dst=${mountablePath(mount.to)},readonly`,
      ];
    case 'rw':
      return [
        '--mount',
        `type=bind,src=${mountablePath(mount.from)},dst=${mountablePath(mount.to)}`,
      ];
    case 'tmpfs':
      return ['--tmpfs', `${mount.to}:rw,exec,nosuid,nodev,size=${mount.bytes},mode=1777`];
    // Links are in the image; every container has the rest.
    case 'link':
    case 'proc':
    case 'dev':
    case 'remount-ro':
      return [];
  }
}

/** Engines separate the fields of a mount with commas. */
function mountablePath(path: string): string {
  if (!/[,"\n]/.test(path)) return path;
  throw new CellRefused(`${JSON.stringify(path)} cannot be mounted into a container; rename it`);
}
