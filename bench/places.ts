import { join } from 'node:path';

export const BENCH: string = import.meta.dirname;
export const ROOT: string = join(BENCH, '..');
export const CACHE: string = join(BENCH, '.cache');
export const RESULTS: string = join(BENCH, 'results');
