import { before, type TestContext, test } from 'node:test';
import { createUnisolatedCells } from '../../src/adapters/processes/unisolated-cells.ts';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.ts';
import type { Limits } from '../../src/domain/project.ts';
import { CellRefused, type Cells } from '../../src/ports/cell.ts';

/** What a kind of cell guarantees; a suite skips the tests of the rest. */
export interface Keeps {
  /** All processes that a program starts end with it. */
  readonly wholeTree: boolean;
  /** Only what the plan names can be seen or reached. */
  readonly isolates: boolean;
}

export interface CellKind {
  readonly name: string;
  /** The name in GUILDHALL_REQUIRE of the part that it needs. */
  readonly part: string | undefined;
  /** Tells a process that builds such cells which engine to use, if there is one. */
  readonly engineVariable?: string;
  /** Whether the run has seen its engine work. Then a refusal is a fault of the product, not of the machine. */
  readonly hasWorkingEngine?: () => boolean;
  readonly keeps: Keeps;
  build(): Promise<Cells>;
}

export const NO_LIMITS: Limits = { cpus: null, memoryBytes: null, pids: null };

export const KINDS = {
  none: {
    name: 'none',
    part: undefined,
    keeps: { wholeTree: false, isolates: false },
    build: async () => createUnisolatedCells({ path: process.env['PATH'] ?? '' }),
  },
  sandbox: {
    name: 'sandbox',
    part: 'bubblewrap',
    keeps: { wholeTree: true, isolates: true },
    build: () => createSandbox(sandboxNeeds()),
  },
} satisfies Record<string, CellKind>;

/** Tests with cells of one kind, built before the first of them; they are skipped where none can be built. */
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

/** The options for building a sandbox in this run. */
export function sandboxNeeds() {
  const bubblewrap = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
  return { path: process.env['PATH'] ?? '', bubblewrap };
}

/** For a process that may fail to build one. */
export function requiringNothing(): NodeJS.ProcessEnv {
  return { ...process.env, GUILDHALL_REQUIRE: '' };
}

/** The cells, or why this machine cannot build them. */
export async function buildOrSayWhy(kind: CellKind): Promise<Cells | { readonly missing: string }> {
  try {
    return await kind.build();
  } catch (error) {
    const mayBeMissing = !isRequired(kind) && !kind.hasWorkingEngine?.();
    if (!(error instanceof CellRefused) || !mayBeMissing) throw error;
    return { missing: error.message };
  }
}

function isRequired({ part }: CellKind): boolean {
  if (part === undefined) return false;
  return (process.env['GUILDHALL_REQUIRE'] ?? '').split(',').includes(part);
}
