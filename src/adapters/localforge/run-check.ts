import { type CheckCommand, nameOfLimit } from '../../domain/project.ts';
import type { Cell } from '../../ports/cell.ts';

const MOST_KEPT = 6_000;

export interface Failed {
  /** How it ended, and the end of what it printed. */
  readonly said: string;
  /** The shell found no such program, or could not start it: no change of the code would help. */
  readonly cannotRun: boolean;
}

/** Runs one check; undefined when it passed. */
export async function runCheck(
  cell: Cell,
  { run }: CheckCommand,
  stop: AbortSignal,
): Promise<Failed | undefined> {
  const env = { LANG: 'C.UTF-8', CI: '1', NO_COLOR: '1' };
  const child = cell.start({ argv: ['bash', '-c', run], env });
  const kill = () => child.kill();
  stop.addEventListener('abort', kill);
  const tooLong = setTimeout(kill, LONGEST);
  child.stdin.end();
  const said: string[] = [];
  const listen = async (stream: AsyncIterable<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      said.push(decoder.decode(chunk, { stream: true }));
      if (said.length > 200) said.splice(0, said.length, said.join('').slice(-MOST_KEPT));
    }
  };
  const [end] = await Promise.all([child.ended, listen(child.stdout), listen(child.stderr)]);
  clearTimeout(tooLong);
  stop.removeEventListener('abort', kill);
  if (end.code === 0) return undefined;
  const how = end.code === null ? `it was ended by ${end.signal}` : `it ended with ${end.code}`;
  const limit = end.limit === null ? '' : `, at its limit of ${nameOfLimit(end.limit)}`;
  return {
    said: `${said.join('').slice(-MOST_KEPT).trimEnd()}\n${how}${limit}`,
    cannotRun: end.code !== null && CANNOT_RUN.includes(end.code),
  };
}

/** What shells answer, by POSIX: found but not started, and not found. */
const CANNOT_RUN: readonly number[] = [126, 127];

const LONGEST = 30 * 60_000;
