import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { CellKind } from './cell-kinds.ts';

/**
 * Starts a process with a cell in which a script runs, to be killed by the test: optionally for an instance,
 * with another engine than that of this run, or wrapped in another command. Its temporary files are in the
 * given folder.
 */
export function startParent(
  { name, engineVariable }: CellKind,
  script: string,
  folder: string,
  instance?: string,
  engine?: string,
  wrapper: readonly string[] = [],
): ChildProcessByStdio<null, Readable, null> {
  const program = join(import.meta.dirname, 'cell-parent.ts');
  const args = [program, name, script, ...(instance ? [instance] : [])];
  const [first = process.execPath, ...rest] = [...wrapper, process.execPath, ...args];
  return spawn(first, rest, {
    env: {
      ...process.env,
      TMPDIR: folder,
      ...(engineVariable !== undefined && engine !== undefined && { [engineVariable]: engine }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
