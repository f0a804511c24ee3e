import type { UnixUser } from '../cell/layout.ts';
import { INSIDE } from '../cell/layout.ts';
import type { CellMount } from '../cell/mounts.ts';
import { bwrapMounts } from './bwrap-mounts.ts';
import type { Tools } from './tools.ts';

/** How a program gets inside; the descriptors are those that the child is started with. */
interface BwrapSetup {
  readonly tools: Tools;
  readonly mounts: readonly CellMount[];
  /** Unlike the user of this process where root builds the cell. */
  readonly user: UnixUser;
  readonly isRoot: boolean;
}

/** Descriptors of the first bwrap, besides the three streams. */
export const DESCRIPTORS = { secrets: 3, status: 4, filter: 5, lifeline: 6 } as const;

/**
 * Where bwrap is inside, for the second stage: in its own place where the cell sees that, because a
 * profile of AppArmor lets it make namespaces by its path.
 */
export function innerBwrap({ bwrap }: Pick<Tools, 'bwrap'>): string {
  return bwrap.startsWith('/usr/') ? bwrap : `${INSIDE.tools}/bwrap`;
}

/** What the first process inside says when it would die with the worker, and waits to be answered. */
const READY = 'ready';

const NAMESPACES = [
  '--die-with-parent',
  '--as-pid-1',
  '--new-session',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--hostname',
  'cell',
];

/**
 * The first process inside. bwrap ties it to the process before it only at the end of its work, and
 * whoever died by then kills nobody. So it starts nothing until the worker, alive after that, says so.
 * It belongs to the outer user namespace, or to root: nothing in the inner one can touch it.
 */
export const LIFELINE: string = [
  `exec 7>&2 2>/dev/null`,
  `echo ${READY} >&${DESCRIPTORS.lifeline}`,
  `read go <&${DESCRIPTORS.lifeline} || exit 125`,
  `"$@" 2>&7 ${DESCRIPTORS.lifeline}>&- 7>&-`,
  'exit $?',
].join('; ');

/** No user namespace can be made inside: it would give a program all capabilities over its own. */
const NO_USER_NAMESPACES = ['--unshare-user', '--disable-userns'];

/** The command line that starts a program inside: bwrap and all that comes before the program. */
export function bwrapCommand(
  { tools, mounts, user, isRoot }: BwrapSetup,
  { cwd, isFiltered }: { readonly cwd: string; readonly isFiltered: boolean },
): string[] {
  const userOptions = ['--uid', String(user.uid), '--gid', String(user.gid)];
  return [
    ...[tools.bwrap, ...NAMESPACES, '--json-status-fd', String(DESCRIPTORS.status)],
    ...(isRoot ? [] : ['--unshare-user', '--cap-drop', 'ALL', ...userOptions]),
    ...bwrapMounts(mounts),
    ...['--', '/bin/sh', '-c', LIFELINE, 'sh'],
    ...(isRoot ? switchUser(tools, user) : []),
    ...[innerBwrap(tools), '--die-with-parent', ...NO_USER_NAMESPACES, '--dev-bind', '/', '/'],
    ...(isFiltered ? ['--seccomp', String(DESCRIPTORS.filter)] : []),
    // The environment comes by descriptor, because command lines can be read by every user of a host.
    ...['--args', String(DESCRIPTORS.secrets), '--chdir', cwd],
    // bwrap sets PWD, and the environment is to be exactly what was given.
    ...['--', tools.env, '-u', 'PWD'],
  ];
}

function switchUser({ setpriv }: Tools, { uid, gid }: UnixUser): string[] {
  return [
    ...[setpriv, '--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
    ...['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--'],
  ];
}

/**
 * What comes before bwrap on the host: a shell that dies with this process, also when that is dead
 * already, and that enters the given control groups.
 */
export function hostCommand({ setpriv }: Tools, cgroupFiles: readonly string[]): string[] {
  const script =
    '[ "$PPID" = "$1" ] || exit 125; shift; ' +
    'until [ "$1" = -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"';
  const tied = [setpriv, '--pdeathsig', 'KILL', '--'];
  return [...tied, '/bin/sh', '-c', script, 'sh', String(process.pid), ...cgroupFiles, '--'];
}
