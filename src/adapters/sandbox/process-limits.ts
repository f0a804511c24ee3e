import { readdirSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import type { Ceiling, Ceilings } from './ceilings.ts';
import { readIfThere } from './processes.ts';

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
      if (!isLimited) return null;
      const inside = withDescendants(processes(), first);
      if (pids !== null && sum(inside.map(({ threads }) => threads)) >= pids) return 'pids';
      if (memoryBytes === null) return null;
      return sum(inside.map(({ pid }) => ownMemory(pid))) > memoryBytes ? 'memoryBytes' : null;
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

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly threads: number;
}

const LOOK_EVERY = 250;

/** One look at all processes serves all cells. */
function sharedLook(): () => readonly Seen[] {
  let seen: readonly Seen[] = [];
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - at > LOOK_EVERY) {
      seen = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => seenAs(Number(name)));
      at = performance.now();
    }
    return seen;
  };
}

function seenAs(pid: number): Seen[] {
  const fields = readIfThere(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  if (fields === undefined) return [];
  return [{ pid, parent: Number(fields[1]), threads: Number(fields[17]) }];
}

/** The orphans of a process namespace become children of its first process. */
function withDescendants(all: readonly Seen[], first: number): Seen[] {
  const inside = all.filter(({ pid }) => pid === first);
  for (const { pid } of inside) inside.push(...all.filter(({ parent }) => parent === pid));
  return inside;
}

const PAGE = 4096;

/** Resident pages that are of no file. */
function ownMemory(pid: number): number {
  const [, resident = 0, shared = 0] = (readIfThere(`/proc/${pid}/statm`) ?? '')
    .split(' ')
    .map(Number);
  return (resident - shared) * PAGE;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
