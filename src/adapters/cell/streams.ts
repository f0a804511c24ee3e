import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { CellProcess } from '../../ports/cell.ts';

/** The three streams of a program that was started with pipes. */
export function streamsOf(child: ChildProcess): Pick<CellProcess, 'stdin' | 'stdout' | 'stderr'> {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('the program was started without stdio pipes');
  // A program that exits early closes its end; unread input can be dropped.
  stdin.on('error', () => undefined);
  // Node discards unread output when the program ends; a PassThrough behind it keeps the output.
  return { stdin, stdout: stdout.pipe(new PassThrough()), stderr: stderr.pipe(new PassThrough()) };
}
