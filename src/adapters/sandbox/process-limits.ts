import type { Limits } from '../../domain/project.ts';
import { createProcessList, exceededLimit, type ProcessStat } from '../cell/process-usage.ts';
import type { AppliedLimits, Limiter } from './limiter.ts';

/** Limits of single processes, and a look at all of them together, for hosts without control groups. */
export function findProcessLimits(prlimit: string | undefined): Limiter {
  const processes = createProcessList();
  return {
    enforces: ['memoryBytes', 'pids'],
    gaps: [
      'memory is counted every quarter of a second, because no control group can be made here; files in /tmp are not counted',
      ...(prlimit === undefined ? ['prlimit is not in /usr/bin, so that bursts are not held'] : []),
    ],
    apply: ({ limits }) => processLimits({ prlimit, processes }, limits),
  };
}

interface Needs {
  readonly prlimit: string | undefined;
  readonly processes: () => readonly ProcessStat[];
}

function processLimits({ prlimit, processes }: Needs, limits: Limits): AppliedLimits {
  const { memoryBytes, pids } = limits;
  const isLimited = memoryBytes !== null || pids !== null;
  return {
    cgroupFiles: [],
    commandPrefix: isLimited && prlimit !== undefined ? [prlimit, ...optionsFor(limits), '--'] : [],
    exceeded(initPid) {
      return isLimited ? exceededLimit(withDescendants(processes(), initPid), limits) : null;
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
    ...(memoryBytes === null ? [] : [`--data=${memoryBytes * 2 + RESERVED_ADDRESS_SPACE}`]),
  ];
}

const RESERVED_ADDRESS_SPACE = 1024 ** 3;

/** The orphans of a process namespace become children of its first process. */
function withDescendants(all: readonly ProcessStat[], initPid: number): ProcessStat[] {
  const inside = all.filter(({ pid }) => pid === initPid);
  for (const { pid } of inside) inside.push(...all.filter(({ parent }) => parent === pid));
  return inside;
}
