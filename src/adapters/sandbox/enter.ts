import type { Owner } from '../cell/layout.ts';
import { INSIDE } from '../cell/layout.ts';
import type { Tools } from './tools.ts';
import { argumentsOf, type Sight } from './view.ts';

/** How a program gets inside; the descriptors are those that the child is started with. */
export interface Entry {
  readonly tools: Tools;
  readonly view: readonly Sight[];
  /** Unlike the user of this process where root builds the cell. */
  readonly owner: Owner;
  readonly isRoot: boolean;
}

/** Descriptors of the first bwrap, besides the three streams. */
export const DESCRIPTORS = { secrets: 3, status: 4, filter: 5 } as const;

/** Where bwrap is inside, for the second stage. */
export const INNER_BWRAP = `${INSIDE.tools}/bwrap`;

const NAMESPACES = [
  '--die-with-parent',
  '--new-session',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--hostname',
  'cell',
];

/** No user namespace can be made inside: it would give a program all capabilities over its own. */
const LOCKED_IN = ['--unshare-user', '--disable-userns'];

/** The command line that starts a program inside: bwrap and all that comes before the program. */
export function entryTo(
  { tools, view, owner, isRoot }: Entry,
  { cwd, isFiltered }: { readonly cwd: string; readonly isFiltered: boolean },
): string[] {
  const status = ['--json-status-fd', String(DESCRIPTORS.status)];
  const last = [
    ...(isFiltered ? ['--seccomp', String(DESCRIPTORS.filter)] : []),
    // The environment comes by descriptor, because command lines can be read by every user of a host.
    ...['--args', String(DESCRIPTORS.secrets)],
    ...['--chdir', cwd],
    // bwrap sets PWD, and the environment is to be exactly what was given.
    ...['--', tools.env, '-u', 'PWD'],
  ];
  const outer = [tools.bwrap, ...NAMESPACES, ...status];
  if (!isRoot) {
    const identity = ['--uid', String(owner.uid), '--gid', String(owner.gid)];
    return [
      ...outer,
      ...LOCKED_IN,
      '--cap-drop',
      'ALL',
      ...identity,
      ...argumentsOf(view),
      ...last,
    ];
  }
  const inner = [INNER_BWRAP, '--die-with-parent', ...LOCKED_IN, '--dev-bind', '/', '/', ...last];
  return [...outer, ...argumentsOf(view), '--', ...becoming(tools, owner), ...inner];
}

function becoming({ setpriv = 'setpriv' }: Tools, { uid, gid }: Owner): string[] {
  return [
    setpriv,
    ...['--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
    ...['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--'],
  ];
}
