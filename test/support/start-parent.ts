import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { CellKind } from './cell-kinds.ts';

/**
 * A process with a cell in which a script runs, to be killed; the cell of an instance, where one is
 * named; with another engine than that of this run, where one is; under a command that changes its world, where one
 * is. What it leaves in the folder of temporary files is removed with the scene.
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
