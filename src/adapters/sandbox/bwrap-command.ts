import type { UnixUser } from '../cell/layout.ts';
import { INSIDE } from '../cell/layout.ts';
import type { CellMount } from '../cell/mounts.ts';
import { bwrapMounts } from './bwrap-mounts.ts';
import type { Tools } from './find-tools.ts';

/** What bwrap needs to build a cell. */
interface BwrapSetup {
  readonly tools: Tools;
  readonly mounts: readonly CellMount[];
  /** Differs from the user of this process when root builds the cell. */
  readonly user: UnixUser;
  readonly isRoot: boolean;
}

/** Descriptors that the outer bwrap is started with, besides the three standard streams. */
export const DESCRIPTORS = { secrets: 3, status: 4, filter: 5, lifeline: 6 } as const;

/**
 * Path of bwrap inside the cell, for the second stage. Its own path where the cell can see it, because
 * an AppArmor profile allows it to create namespaces by that path.
 */
export function innerBwrap({ bwrap }: Pick<Tools, 'bwrap'>): string {
  return bwrap.startsWith('/usr/') ? bwrap : `${INSIDE.tools}/bwrap`;
}

/** Written by the first process once it would die with the worker; it then waits for an answer. */
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
 * The first process inside. bwrap ties it to its parent only at the end of setup, so a parent that died
 * earlier would not take it along. It therefore starts nothing until the worker, alive after that,
 * answers. It belongs to the outer user namespace, or to root, so nothing in the inner one can touch
 * it.
 */
export const LIFELINE: string = [
  `exec 7>&2 2>/dev/null`,
  `echo ${READY} >&${DESCRIPTORS.lifeline}`,
  `read go <&${DESCRIPTORS.lifeline} || exit 125`,
  `"$@" 2>&7 ${DESCRIPTORS.lifeline}>&- 7>&-`,
  'exit $?',
].join('; ');

/** Forbid user namespaces inside: one would give a program all capabilities over its own namespace. */
const NO_USER_NAMESPACES = ['--unshare-user', '--disable-userns'];

/** The command line that starts a program inside: bwrap and everything before the program. */
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
    // Pass the environment by descriptor, because every user of the host can read command lines.
    ...['--args', String(DESCRIPTORS.secrets), '--chdir', cwd],
    // bwrap sets PWD, but the environment must be exactly the given one.
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
 * Runs before bwrap on the host: a shell that enters the given control groups. It dies with this process,
 * even if this process is already dead when it starts.
 */
export function hostCommand({ setpriv }: Tools, cgroupFiles: readonly string[]): string[] {
  const script =
    '[ "$PPID" = "$1" ] || exit 125; shift; ' +
    'until [ "$1" = -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"';
  const tied = [setpriv, '--pdeathsig', 'KILL', '--'];
  return [...tied, '/bin/sh', '-c', script, 'sh', String(process.pid), ...cgroupFiles, '--'];
}
