import type { Owner } from '../cell/layout.ts';
import { INSIDE } from '../cell/layout.ts';
import type { Sight } from '../cell/view.ts';
import type { Tools } from './tools.ts';
import { argumentsOf } from './view-arguments.ts';

/** How a program gets inside; the descriptors are those that the child is started with. */
interface Entry {
  readonly tools: Tools;
  readonly view: readonly Sight[];
  /** Unlike the user of this process where root builds the cell. */
  readonly owner: Owner;
  readonly isRoot: boolean;
}

/** Descriptors of the first bwrap, besides the three streams. */
export const DESCRIPTORS = { secrets: 3, status: 4, filter: 5, leash: 6 } as const;

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
export const LEASH: string = [
  `exec 7>&2 2>/dev/null`,
  `echo ${READY} >&${DESCRIPTORS.leash}`,
  `read go <&${DESCRIPTORS.leash} || exit 125`,
  `"$@" 2>&7 ${DESCRIPTORS.leash}>&- 7>&-`,
  'exit $?',
].join('; ');

/** No user namespace can be made inside: it would give a program all capabilities over its own. */
const LOCKED_IN = ['--unshare-user', '--disable-userns'];

/** The command line that starts a program inside: bwrap and all that comes before the program. */
export function entryTo(
  { tools, view, owner, isRoot }: Entry,
  { cwd, isFiltered }: { readonly cwd: string; readonly isFiltered: boolean },
): string[] {
  const identity = ['--uid', String(owner.uid), '--gid', String(owner.gid)];
  return [
    ...[tools.bwrap, ...NAMESPACES, '--json-status-fd', String(DESCRIPTORS.status)],
    ...(isRoot ? [] : ['--unshare-user', '--cap-drop', 'ALL', ...identity]),
    ...argumentsOf(view),
    ...['--', '/bin/sh', '-c', LEASH, 'sh'],
    ...(isRoot ? becoming(tools, owner) : []),
    ...[innerBwrap(tools), '--die-with-parent', ...LOCKED_IN, '--dev-bind', '/', '/'],
    ...(isFiltered ? ['--seccomp', String(DESCRIPTORS.filter)] : []),
    // The environment comes by descriptor, because command lines can be read by every user of a host.
    ...['--args', String(DESCRIPTORS.secrets), '--chdir', cwd],
    // bwrap sets PWD, and the environment is to be exactly what was given.
    ...['--', tools.env, '-u', 'PWD'],
  ];
}

function becoming({ setpriv }: Tools, { uid, gid }: Owner): string[] {
  return [
    ...[setpriv, '--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
    ...['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--'],
  ];
}

/**
 * What comes before bwrap on the host: a shell that dies with this process, also when that is dead
 * already, and that enters the given control groups.
 */
export function leaving({ setpriv }: Tools, groups: readonly string[]): string[] {
  const script =
    '[ "$PPID" = "$1" ] || exit 125; shift; ' +
    'until [ "$1" = -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"';
  const tied = [setpriv, '--pdeathsig', 'KILL', '--'];
  return [...tied, '/bin/sh', '-c', script, 'sh', String(process.pid), ...groups, '--'];
}
