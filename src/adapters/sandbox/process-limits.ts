import type { Limits } from '../../domain/project.ts';
import { createProcessList, exceededLimit, type ProcessStat } from '../cell/process-usage.ts';
import type { AppliedLimits, Limiter } from './limiter.ts';

/** Per-process limits, plus polling of their sum, for hosts without control groups. */
export function findProcessLimits(prlimit: string | undefined): Limiter {
  const processes = createProcessList();
  return {
    enforces: ['memoryBytes', 'pids'],
    gaps: [
      'memory is counted every quarter of a second, because no control group can be created here; files in /tmp are not counted',
      ...(prlimit === undefined ? ['prlimit is not in /usr/bin, so bursts are not limited'] : []),
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
 * A cell's user namespace has its own process count since Linux 5.14. Memory has no such total. Each
 * process gets twice the limit, so that polling, which can name the limit, acts first, plus the address
 * space that a runtime reserves without using it. Node fails to start with 256 MB and starts with 1 GB.
 */
function optionsFor({ memoryBytes, pids }: Limits): string[] {
  return [
    ...(pids === null ? [] : [`--nproc=${pids}`]),
    ...(memoryBytes === null ? [] : [`--data=${memoryBytes * 2 + RESERVED_ADDRESS_SPACE}`]),
  ];
}

const RESERVED_ADDRESS_SPACE = 1024 ** 3;

/** Orphans in a PID namespace become children of its first process. */
function withDescendants(all: readonly ProcessStat[], initPid: number): ProcessStat[] {
  const inside = all.filter(({ pid }) => pid === initPid);
  for (const { pid } of inside) inside.push(...all.filter(({ parent }) => parent === pid));
  return inside;
}
