import type { Limits } from '../../domain/project.ts';
import { limitMet, type Seen, sharedLook } from '../cell/counting.ts';
import type { Ceiling, Ceilings } from './ceilings.ts';

/** Limits of single processes, and a look at all of them together, for hosts without control groups. */
export function findProcessLimits(prlimit: string | undefined): Ceilings {
  const processes = sharedLook();
  return {
    holds: ['memoryBytes', 'pids'],
    gaps: [
      'memory is counted every quarter of a second, because no control group can be made here; files in /tmp are not counted',
      ...(prlimit === undefined ? ['prlimit is not in /usr/bin, so that bursts are not held'] : []),
    ],
    raise: ({ limits }) => ceilingOf({ prlimit, processes }, limits),
  };
}

interface Needs {
  readonly prlimit: string | undefined;
  readonly processes: () => readonly Seen[];
}

function ceilingOf({ prlimit, processes }: Needs, limits: Limits): Ceiling {
  const { memoryBytes, pids } = limits;
  const isLimited = memoryBytes !== null || pids !== null;
  return {
    groups: [],
    inside: isLimited && prlimit !== undefined ? [prlimit, ...optionsFor(limits), '--'] : [],
    met(first) {
      return isLimited ? limitMet(withDescendants(processes(), first), limits) : null;
    },
    release: async () => undefined,
  };
}

/**
 * The user namespace of a cell has its own count of processes, since Linux 5.14. Memory has no count of
 * the whole: a process gets twice the limit, so that the look, which can tell, comes first, and what a
 * runtime sets aside without using it. Node does not start with 256 MB, and does with 1 GB.
 */
function optionsFor({ memoryBytes, pids }: Limits): string[] {
  return [
    ...(pids === null ? [] : [`--nproc=${pids}`]),
    ...(memoryBytes === null ? [] : [`--data=${memoryBytes * 2 + SET_ASIDE}`]),
  ];
}

const SET_ASIDE = 1024 ** 3;

/** The orphans of a process namespace become children of its first process. */
function withDescendants(all: readonly Seen[], first: number): Seen[] {
  const inside = all.filter(({ pid }) => pid === first);
  for (const { pid } of inside) inside.push(...all.filter(({ parent }) => parent === pid));
  return inside;
}
