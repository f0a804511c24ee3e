import { basename } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { createUnisolatedCells } from '../../src/adapters/processes/unisolated-cells.ts';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.ts';
import type { Limits } from '../../src/domain/project.ts';
import { CellRefused, type Cells } from '../../src/ports/cell.ts';

/** What a kind of cell can promise; a suite skips the rest by it. */
export interface Keeps {
  /** Everything that a program starts ends with it, whatever it does. */
  readonly wholeTree: boolean;
  /** What is not named in the plan cannot be seen or reached. */
  readonly walls: boolean;
}

export interface CellKind {
  readonly name: string;
  /** What GUILDHALL_REQUIRE calls the part it cannot be built without. */
  readonly part: string | undefined;
  /** Names the program of the engine to a process that builds such cells, where there is one. */
  readonly engineVariable?: string;
  /** Whether the run has seen its engine work. Then a refusal is a fault of the product and no lack of the machine. */
  readonly hasWorkingEngine?: () => boolean;
  readonly keeps: Keeps;
  build(): Promise<Cells>;
}

export const NO_LIMITS: Limits = { cpus: null, memoryBytes: null, pids: null };

export const KINDS = {
  none: {
    name: 'none',
    part: undefined,
    keeps: { wholeTree: false, walls: false },
    build: async () => createUnisolatedCells({ path: process.env['PATH'] ?? '' }),
  },
  sandbox: {
    name: 'sandbox',
    part: 'bubblewrap',
    keeps: { wholeTree: true, walls: true },
    build: () => createSandbox(sandboxNeeds()),
  },
} satisfies Record<string, CellKind>;

/** Tests with cells of one kind, built before the first of them; where they cannot be had they are skipped. */
export function testsWith(kind: CellKind) {
  let cells: Cells | undefined;
  let missing = '';
  before(async () => {
    const built = await buildOrSayWhy(kind);
    if ('missing' in built) missing = built.missing;
    else cells = built;
  });
  return (title: string, act: (cells: Cells, t: TestContext) => Promise<void>): void => {
    test(title, async (t) => (cells === undefined ? t.skip(missing) : await act(cells, t)));
  };
}

/** What a sandbox of this run is built with. */
export function sandboxNeeds() {
  const bubblewrap = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
  return { path: process.env['PATH'] ?? '', bubblewrap };
}

/** For a process that may fail to build one. */
export function requiringNothing(): NodeJS.ProcessEnv {
  return { ...process.env, GUILDHALL_REQUIRE: '' };
}

/** The cells, or why this machine cannot have them. */
export async function buildOrSayWhy(kind: CellKind): Promise<Cells | { readonly missing: string }> {
  try {
    return await kind.build();
  } catch (error) {
    const mayBeMissing = !isRequired(kind) && !kind.hasWorkingEngine?.();
    if (!(error instanceof CellRefused) || !mayBeMissing) throw error;
    return { missing: error.message };
  }
}

/** A run names an engine only after it ran a container. Of Docker no more is asked than that. */
export function isProvenEngine(program: string | undefined): boolean {
  return program !== undefined && basename(program) === 'podman';
}

function isRequired({ part }: CellKind): boolean {
  if (part === undefined) return false;
  return (process.env['GUILDHALL_REQUIRE'] ?? '').split(',').includes(part);
}
