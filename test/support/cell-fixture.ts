import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cell, CellEnd, CellPlan, CellProcess, Cells } from '../../src/ports/cell.ts';
import { NO_LIMITS } from './cell-kinds.ts';
import { NO_TENANT } from './no-tenant.ts';
import { tempFolder } from './temp-folder.ts';

/** Folders for cells, removed when the test ends, and cells in them. */
export interface CellFixture extends AsyncDisposable {
  readonly folder: string;
  cell(plan?: Partial<CellPlan>): Promise<Cell>;
}

export function cellFixture(cells: Cells): CellFixture {
  const folder = tempFolder();
  const opened: Cell[] = [];
  return {
    folder: folder.path,
    async cell(plan = {}) {
      const own = folder.file(`cell-${opened.length}`);
      mkdirSync(own, { recursive: true });
      const name = `test-${opened.length}`;
      const cell = await cells.open({
        name,
        folder: own,
        readable: [],
        sockets: {},
        limits: NO_LIMITS,
        tenant: NO_TENANT,
        ...plan,
      });
      opened.push(cell);
      return cell;
    },
    async [Symbol.asyncDispose]() {
      for (const cell of opened) await cell[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export interface ProgramResult extends CellEnd {
  readonly out: string;
  readonly err: string;
}

export function sh(
  cell: Cell,
  script: string,
  env: Record<string, string> = {},
): Promise<ProgramResult> {
  return run(cell, ['sh', '-c', script], env);
}

export async function run(
  cell: Cell,
  argv: readonly [string, ...string[]],
  env: Record<string, string> = {},
): Promise<ProgramResult> {
  const program = cell.start({ argv, env });
  program.stdin.end();
  const [out, err, end] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    program.ended,
  ]);
  return { out, err, ...end };
}

/** Waits until the program has printed the text. */
export async function untilPrinted(program: CellProcess, text: string): Promise<void> {
  let printed = '';
  for await (const chunk of program.stdout) {
    printed += Buffer.from(chunk).toString();
    if (printed.includes(text)) return;
  }
  throw new Error(`the program ended without saying ${text}: ${printed}`);
}

/** A duration of sleep that no other process uses, so the process can be found by it. */
export function uniqueSleep(): string {
  return `${100_000 + Math.floor(Math.random() * 800_000)}.${process.pid}`;
}

/** Processes of this machine with the text in their arguments. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => argumentsOf(pid).some((each) => each.includes(text)))
    .map(Number);
}

/** Those of them that sleep, without the shells and programs that started them with the same text. */
export function sleepersWith(length: string): number[] {
  return processesWith(length).filter((pid) => factOf(pid, 'comm').trim() === 'sleep');
}

/** Those of them that run the requested command, not what builds the cell around it. */
export function programsWith(length: string): number[] {
  return processesWith(length).filter((pid) => /^(sh|sleep)$/.test(factOf(pid, 'comm').trim()));
}

function argumentsOf(pid: string): string[] {
  return factOf(pid, 'cmdline').split('\0');
}

function factOf(pid: string | number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const PATIENCE = 600_000;

/** Waits for a condition and fails with its source if it never becomes true. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not so after ${PATIENCE} ms: ${condition}`);
    await sleep(10);
  }
}
