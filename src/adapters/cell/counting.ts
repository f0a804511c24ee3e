import { readdirSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import { readIfThere } from './processes.ts';

/** A process of this machine. */
export interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly threads: number;
}

const LOOK_EVERY = 250;

/** One look at all processes serves all cells. */
export function sharedLook(): () => readonly Seen[] {
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

/** The limit that these processes are at together. */
export function limitMet(
  inside: readonly Seen[],
  { memoryBytes, pids }: Pick<Limits, 'memoryBytes' | 'pids'>,
): 'memoryBytes' | 'pids' | null {
  if (pids !== null && sum(inside.map(({ threads }) => threads)) >= pids) return 'pids';
  if (memoryBytes === null) return null;
  return sum(inside.map(({ pid }) => ownMemory(pid))) > memoryBytes ? 'memoryBytes' : null;
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
