import { dirname } from 'node:path';
import type { Cell } from '../../ports/cell.ts';

/** A script of ours, run by the shell inside the cell; its arguments are `$1`, `$2`, … */
interface CellScript {
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: Uint8Array;
  readonly seconds: number;
  /** Gets standard output as it comes; false ends the program. */
  readonly take?: (chunk: Uint8Array) => boolean;
}

export interface CellAnswer {
  readonly code: number | null;
  readonly said: string;
  /** Why the host ended it. */
  readonly ended: 'too_long' | 'too_much' | null;
}

/** Whatever comes back was written by the agent as far as the host can know. */
export async function runInCell(cell: Cell, call: CellScript): Promise<CellAnswer> {
  const { script, args, seconds, take = () => true } = call;
  const started = cell.start({
    argv: ['sh', '-c', script, 'sh', ...args],
    env: { ...QUIET, GIT_CEILING_DIRECTORIES: dirname(cell.paths.work), ...call.env },
  });
  let ended: CellAnswer['ended'] = null;
  const timer = setTimeout(() => {
    ended ??= 'too_long';
    started.kill();
  }, seconds * 1000);
  if (call.stdin) started.stdin.write(call.stdin);
  started.stdin.end();

  async function drain(): Promise<void> {
    for await (const chunk of started.stdout) {
      if (ended !== null || take(chunk)) continue;
      ended = 'too_much';
      started.kill();
    }
  }
  try {
    const [said, end] = await Promise.all([tailOf(started.stderr), started.ended, drain()]);
    return { code: end.code, said, ended };
  } catch (error) {
    // Whoever takes the output may fail, on a full disk for one.
    started.kill();
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

/** The repository above the work tree is never meant, and nobody is there to be asked. */
const QUIET = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'false',
};
