import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const BENCH: string = import.meta.dirname;
export const ROOT: string = join(BENCH, '..');
export const CACHE: string = join(BENCH, '.cache');
export const RESULTS: string = join(BENCH, 'results');

/** Whether the launcher runs the build or, for want of one, the sources. */
export function isBuilt(): boolean {
  return existsSync(join(ROOT, 'dist/cli/main.js'));
}
