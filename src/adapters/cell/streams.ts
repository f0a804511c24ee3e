import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { CellProcess } from '../../ports/cell.ts';

/** The three streams of a program that was started with pipes. */
export function streamsOf(child: ChildProcess): Pick<CellProcess, 'stdin' | 'stdout' | 'stderr'> {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('a program was started without its streams');
  // A program that ended early closes its end; what it did not read is nobody's loss.
  stdin.on('error', () => undefined);
  // Node throws away what nobody has begun to read when the program ends; a stream behind keeps it.
  return { stdin, stdout: stdout.pipe(new PassThrough()), stderr: stderr.pipe(new PassThrough()) };
}
