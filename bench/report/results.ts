import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Outcome } from '../cells/cell.ts';
import type { Options } from '../options.ts';
import { RESULTS, ROOT } from '../places.ts';
import { verdictOn } from './row.ts';

export interface Result extends Outcome {
  readonly name: string;
  readonly title: string;
  /** Why the cell could not be measured at all. */
  readonly failed: string | null;
}

/** Writes the results so far; an interrupted run keeps its completed cells. */
export async function saveResults(
  { at, conditions }: { readonly at: Date; readonly conditions: Readonly<Record<string, string>> },
  { isQuick, rounds, sizes }: Options,
  results: readonly Result[],
): Promise<string> {
  const path = join(RESULTS, `${at.toISOString().replaceAll(/[:.]/g, '-')}.json`);
  const judged = results.map(({ rows, ...rest }) => ({
    ...rest,
    rows: rows.map((row) => ({ ...row, verdict: verdictOn(row) })),
  }));
  await mkdir(RESULTS, { recursive: true });
  await writeFile(
    path,
    `${JSON.stringify({ at, isQuick, rounds, sizes, conditions, results: judged }, null, 2)}\n`,
  );
  return relative(ROOT, path);
}
