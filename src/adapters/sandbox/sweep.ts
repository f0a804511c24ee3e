import { readdirSync } from 'node:fs';
import { killIfThere, readIfThere } from '../cell/processes.ts';
import { LEASH } from './enter.ts';

/**
 * Ends what a worker left that was killed within the millisecond between the birth of the first process
 * of a cell and the moment bwrap lets it go on: it has run nothing, and would wait for ever.
 */
export function endAbandoned(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (isAbandoned(pid)) killIfThere(Number(pid));
  }
}

function isAbandoned(pid: string): boolean {
  const status = readIfThere(`/proc/${pid}/status`) ?? '';
  if (!/^Name:\s+bwrap$/m.test(status) || !/^NSpid:.*\s\d+\s1$/m.test(status)) return false;
  if (!readIfThere(`/proc/${pid}/cmdline`)?.includes(LEASH)) return false;
  const parent = /^PPid:\s+(\d+)$/m.exec(status)?.[1];
  return readIfThere(`/proc/${parent}/comm`)?.trim() !== 'bwrap';
}
