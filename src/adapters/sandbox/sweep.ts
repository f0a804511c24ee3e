import { readdirSync } from 'node:fs';
import { killIfAlive, readIfExists } from '../cell/processes.ts';
import { LIFELINE } from './bwrap-command.ts';

/**
 * Ends the leftovers of a worker that was killed in the millisecond between the start of a cell's first
 * process and the moment bwrap releases it. That process has run nothing and would wait for ever.
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
