import { readdirSync } from 'node:fs';
import { killIfAlive, readIfExists } from '../cell/processes.ts';
import { LIFELINE } from './bwrap-command.ts';

/**
 * Ends what a worker left that was killed within the millisecond between the birth of the first process
 * of a cell and the moment bwrap lets it go on: it has run nothing, and would wait for ever.
 */
export function killAbandoned(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (isAbandoned(pid)) killIfAlive(Number(pid));
  }
}

function isAbandoned(pid: string): boolean {
  const status = readIfExists(`/proc/${pid}/status`) ?? '';
  if (!/^Name:\s+bwrap$/m.test(status) || !/^NSpid:.*\s\d+\s1$/m.test(status)) return false;
  if (!readIfExists(`/proc/${pid}/cmdline`)?.includes(LIFELINE)) return false;
  const parent = /^PPid:\s+(\d+)$/m.exec(status)?.[1];
  return readIfExists(`/proc/${parent}/comm`)?.trim() !== 'bwrap';
}
