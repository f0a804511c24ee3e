import { type Module, reachableFrom } from './import-graph.ts';
import { neededParts } from './parts.ts';

/** What starts a process or a thread, opens a port or a database, waits, or is too large to share. */
const IMPURE = [
  /^node:(child_process|cluster|dgram|http|http2|https|inspector|net|timers|tls|worker_threads)(\/|$)/,
  /^(better-sqlite3|pg|typescript)$/,
  /^@/,
];

/** What would change the process for the suites that come after. */
const TOUCHES_PROCESS = /\b(set(Timeout|Interval|Immediate)|process\.|globalThis|mock)\b/;

/**
 * Whether a suite may share a process with others: by what it loads, and by what its own text and that
 * of its test support ask of the process.
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
