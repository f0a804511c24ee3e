import { readFileSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import type { Sight } from '../cell/view.ts';
import { OWNER_LABEL, thisOwner } from './owner.ts';
import type { Runtime } from './runtime.ts';
import type { Users } from './users.ts';

/** Everything that makes a container what it is. */
export interface Shape {
  readonly image: string;
  readonly users: Users;
  readonly view: readonly Sight[];
  /** Held by control groups. */
  readonly limits: Limits;
  /** Not held by them, but counted. */
  readonly counted: Limits;
  /** A file on the host. */
  readonly filter: string | undefined;
  /** What the first process is, after /bin/sh. */
  readonly keeper: readonly string[];
  readonly project: string | null;
}

/** Marks a container as ours, whatever its name. */
export const LABEL = 'guildhall.cell';

/** This list is all that a container is ever given; nothing of a plan can add an option to it. */
export function createArguments(runtime: Runtime, shape: Shape): string[] {
  const { users, filter } = shape;
  const isPodman = runtime.kind === 'podman';
  return [
    ...['--label', LABEL, '--label', `${LABEL}.project=${shape.project ?? ''}`],
    ...['--label', `${OWNER_LABEL}=${thisOwner()}`],
    ...['--pull', 'never', '--hostname', 'cell', '--log-driver', 'none'],
    ...['--network', 'none', '--ipc', 'private', '--cgroupns', 'private', '--stop-timeout', '0'],
    ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    // What an image asks for beside its files is not given: a volume of its own would outlive the run.
    ...['--no-healthcheck'],
    ...(isPodman ? ['--read-only-tmpfs=false', '--no-hosts', '--image-volume=ignore'] : []),
    ...(filter === undefined ? [] : ['--security-opt', `seccomp=${filter}`]),
    ...users.options,
    ...['--user', `${users.keeper}:${users.keeper}`, '--workdir', '/'],
    ...ulimits(shape.counted),
    ...limitOptions(shape.limits),
    ...shape.view.flatMap(mountOptions),
    // A container sees its control groups otherwise, and the machine that it is on.
    ...['--tmpfs', '/sys:ro,size=4k,mode=0555', '--tmpfs', '/sys/fs/cgroup:ro,size=4k,mode=0000'],
    ...['--entrypoint', '/bin/sh', shape.image, ...shape.keeper],
  ];
}

/** Where something is mounted that the runtime brings by itself. */
export const OF_THE_RUNTIME: readonly string[] = [
  ...['/sys', '/run/.containerenv', '/etc/hostname', '/etc/resolv.conf', '/etc/mtab'],
];

function limitOptions({ cpus, memoryBytes, pids }: Limits): string[] {
  return [
    ...(cpus === null ? [] : ['--cpus', String(cpus)]),
    // As much with swap as without: none.
    ...(memoryBytes === null ? [] : [`--memory=${memoryBytes}b`, `--memory-swap=${memoryBytes}b`]),
    `--pids-limit=${pids === null ? -1 : pids + KEEPERS}`,
  ];
}

/** The first process and the one it waits for are not the run's. */
const KEEPERS = 2;

/** A runtime sets more than a container with users of its own may have, so that it would not start. */
function ulimits({ pids }: Limits): string[] {
  const own = readFileSync('/proc/self/limits', 'utf8');
  const files = hardLimit(own, 'Max open files');
  const processes = Math.min(
    hardLimit(own, 'Max processes'),
    pids ?? MOST_PROCESSES,
    MOST_PROCESSES,
  );
  return ['--ulimit', `nofile=${files}:${files}`, '--ulimit', `nproc=${processes}:${processes}`];
}

/** What Podman leaves itself. */
const MOST_PROCESSES = 32_768;

function hardLimit(limits: string, name: string): number {
  const found = new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, 'm').exec(limits)?.[1];
  return found === undefined ? 1_048_576 : Number(found);
}

function mountOptions(sight: Sight): string[] {
  switch (sight.kind) {
    case 'ro':
      return ['--mount', `type=bind,src=${plain(sight.from)},dst=${plain(sight.to)},readonly`];
    case 'rw':
      return ['--mount', `type=bind,src=${plain(sight.from)},dst=${plain(sight.to)}`];
    case 'tmpfs':
      return ['--tmpfs', `${sight.to}:rw,exec,nosuid,nodev,size=${sight.bytes},mode=1777`];
    // Links are in the image; the rest is what every container has.
    case 'link':
    case 'proc':
    case 'dev':
    case 'sealed':
      return [];
  }
}

/** Engines part the words of a mount by commas. */
function plain(path: string): string {
  if (!/[,"\n]/.test(path)) return path;
  throw new CellRefused(`${JSON.stringify(path)} cannot be mounted into a container; rename it`);
}
