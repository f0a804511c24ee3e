import { dirname } from 'node:path';
import type { Cell } from '../../ports/cell.ts';

/** A script of ours for the shell inside the cell; its arguments are `$1`, `$2`, … */
interface CellScript {
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: Uint8Array;
  readonly seconds: number;
  /** Receives standard output as it arrives; returning false ends the program. */
  readonly onOutput?: (chunk: Uint8Array) => boolean;
}

export interface CellScriptResult {
  readonly code: number | null;
  readonly stderr: string;
  /** Why the host ended it. */
  readonly stoppedFor: 'too_long' | 'too_much' | null;
}

/** Treat all output as written by the agent. */
export async function runInCell(cell: Cell, call: CellScript): Promise<CellScriptResult> {
  const { script, args, seconds, onOutput = () => true } = call;
  const program = cell.start({
    argv: ['sh', '-c', script, 'sh', ...args],
    env: { ...GIT_ENVIRONMENT, GIT_CEILING_DIRECTORIES: dirname(cell.paths.work), ...call.env },
  });
  let stoppedFor: CellScriptResult['stoppedFor'] = null;
  const timer = setTimeout(() => {
    stoppedFor ??= 'too_long';
    program.kill();
  }, seconds * 1000);
  if (call.stdin) program.stdin.write(call.stdin);
  program.stdin.end();

  async function drain(): Promise<void> {
    for await (const chunk of program.stdout) {
      if (stoppedFor !== null || onOutput(chunk)) continue;
      stoppedFor = 'too_much';
      program.kill();
    }
  }
  try {
    const [stderr, end] = await Promise.all([tailOf(program.stderr), program.ended, drain()]);
    return { code: end.code, stderr, stoppedFor };
  } catch (error) {
    // The consumer of the output may fail, for example on a full disk.
    program.kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const TAIL = 4000;

async function tailOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let tail = Buffer.alloc(0);
  for await (const chunk of stream) tail = Buffer.concat([tail, chunk]).subarray(-TAIL);
  return tail.toString('utf8').replace(/[^\P{C}\n]/gu, '');
}

/** Never use a repository above the work tree, and never prompt. */
const GIT_ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'false',
};
