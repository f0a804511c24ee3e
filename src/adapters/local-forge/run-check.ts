import type { Env } from '../../domain/env.ts';
import { type CheckCommand, nameOfLimit } from '../../domain/project.ts';
import type { Cell } from '../../ports/cell.ts';

const MAX_OUTPUT = 6_000;

export interface CheckFailure {
  /** How it ended, and the end of its output. */
  readonly output: string;
  /** The shell did not find the program or could not start it: no code change would help. */
  readonly cannotRun: boolean;
}

/** Runs one check; undefined when it passed. */
export async function runCheck(
  { cell, env }: { readonly cell: Cell; readonly env: Env },
  { run }: CheckCommand,
  stop: AbortSignal,
): Promise<CheckFailure | undefined> {
  const own = { LANG: 'C.UTF-8', CI: '1', NO_COLOR: '1' };
  const child = cell.start({ argv: ['bash', '-c', run], env: { ...env, ...own } });
  const kill = () => child.kill();
  stop.addEventListener('abort', kill);
  const timer = setTimeout(kill, CHECK_TIMEOUT);
  child.stdin.end();
  const output: string[] = [];
  const collect = async (stream: AsyncIterable<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output.push(decoder.decode(chunk, { stream: true }));
      if (output.length > 200) output.splice(0, output.length, output.join('').slice(-MAX_OUTPUT));
    }
  };
  const [end] = await Promise.all([child.ended, collect(child.stdout), collect(child.stderr)]);
  clearTimeout(timer);
  stop.removeEventListener('abort', kill);
  if (end.code === 0) return undefined;
  const how = end.code === null ? `ended by ${end.signal}` : `ended with exit code ${end.code}`;
  const limit = end.limit === null ? '' : `, at its ${nameOfLimit(end.limit)} limit`;
  return {
    output: `${output.join('').slice(-MAX_OUTPUT).trimEnd()}\n${how}${limit}`,
    cannotRun: end.code !== null && CANNOT_RUN.includes(end.code),
  };
}

/** Exit codes of a shell, by POSIX: found but not started, and not found. */
const CANNOT_RUN: readonly number[] = [126, 127];

const CHECK_TIMEOUT = 30 * 60_000;
