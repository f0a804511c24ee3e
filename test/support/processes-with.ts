import { readdirSync, readFileSync } from 'node:fs';
import { until } from './hall-fixture.ts';

export interface Found {
  readonly pid: number;
  readonly command: string;
}

/**
 * Processes that belong to a folder: it is in their command or environment, or they run in a cell that shows a
 * part of it.
 */
export function processesWith(folder: string): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(name, 'cmdline').replaceAll('\0', ' ').trim();
      const places = ['cmdline', 'environ', 'mountinfo'];
      const isOurs = command !== '' && places.some((place) => read(name, place).includes(folder));
      return isOurs ? [{ pid: Number(name), command: command.slice(0, 200) }] : [];
    });
}

export async function endProcesses(folder: string): Promise<void> {
  await until('what a test started has ended', () => {
    const found = processesWith(folder);
    for (const { pid } of found) kill(pid);
    return found.length === 0;
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process that has ended or belongs to another user shows nothing. */
function read(pid: string, place: string): string {
  try {
    return readFileSync(`/proc/${pid}/${place}`, 'latin1');
  } catch {
    return '';
  }
}
