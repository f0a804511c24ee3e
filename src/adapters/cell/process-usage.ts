import { readdirSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import { readIfExists } from './processes.ts';

/** A process of this machine. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly threads: number;
}

const REFRESH_EVERY = 250;

/** One scan of all processes serves all cells. */
export function createProcessList(): () => readonly ProcessStat[] {
  let processes: readonly ProcessStat[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAt > REFRESH_EVERY) {
      processes = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => readStat(Number(name)));
      readAt = performance.now();
    }
    return processes;
  };
}

function readStat(pid: number): ProcessStat[] {
  const fields = readIfExists(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  if (fields === undefined) return [];
  return [{ pid, parent: Number(fields[1]), threads: Number(fields[17]) }];
}

/** The limit that these processes together exceed. */
export function exceededLimit(
  inside: readonly ProcessStat[],
  { memoryBytes, pids }: Pick<Limits, 'memoryBytes' | 'pids'>,
): 'memoryBytes' | 'pids' | null {
  if (pids !== null && sum(inside.map(({ threads }) => threads)) >= pids) return 'pids';
  if (memoryBytes === null) return null;
  return sum(inside.map(({ pid }) => privateMemory(pid))) > memoryBytes ? 'memoryBytes' : null;
}

const PAGE = 4096;

/** Resident pages that no file backs. */
function privateMemory(pid: number): number {
  const [, resident = 0, shared = 0] = (readIfExists(`/proc/${pid}/statm`) ?? '')
    .split(' ')
    .map(Number);
  return (resident - shared) * PAGE;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
