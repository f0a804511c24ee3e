import { type Module, reachableFrom } from './import-graph.ts';
import { neededParts } from './parts.ts';

/** Modules that start a process or a thread, open a port or a database, wait, or are too large to share. */
const IMPURE = [
  /^node:(child_process|cluster|dgram|http|http2|https|inspector|net|timers|tls|worker_threads)(\/|$)/,
  /^(better-sqlite3|pg|typescript)$/,
  /^@/,
];

/** Calls that would change the process for later suites. */
const TOUCHES_PROCESS = /\b(set(Timeout|Interval|Immediate)|process\.|globalThis|mock)\b/;

/**
 * Whether a suite may share a process with others, judged by its imports and by the text of the suite and its
 * test support.
 */
export function isPure(file: string): boolean {
  const loaded = reachableFrom([file], { withoutTypes: true });
  return neededParts([file]).length === 0 && loaded.every((module) => isHarmless(module));
}

function isHarmless({ path, text, imports }: Module): boolean {
  const isTest = path.startsWith('test/') || path.endsWith('.test.ts');
  if (isTest && TOUCHES_PROCESS.test(text)) return false;
  return !imports.some(
    ({ from, isOwn, isType }) => !isOwn && !isType && IMPURE.some((each) => each.test(from)),
  );
}
