import { join } from 'node:path';
import { run } from 'node:test';
import { ownCpuSeconds } from './cpu-time.ts';

/**
 * Runs test files and reports the end of each test to the parent. Arguments: a pattern for titles, which may be
 * empty, and the files. A suite that starts processes, waits or could break the process has its own.
 */

/** The messages to the parent. `file` is the path from the arguments. */
export type SuiteMessage =
  | (TestPlace & { readonly kind: 'started' })
  | (TestPlace & { readonly kind: 'passed' })
  | (TestPlace & { readonly kind: 'skipped'; readonly because: string })
  | (TestPlace & { readonly kind: 'failed'; readonly because: string })
  | (Spent & { readonly kind: 'over'; readonly file: string; readonly seconds: number })
  | (Spent & { readonly kind: 'end' });

interface TestPlace {
  readonly file: string;
  readonly title: string;
}

interface Spent {
  readonly cpuSeconds: number;
}

interface Ending {
  readonly name: string;
  readonly nesting: number;
}

const [namePattern = '', ...files] = process.argv.slice(2);

// Without a parent the result is not read.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

/** The titles around the last started test, and around the last reported one; the first of each is the file. */
const running: string[] = [];
const reported: string[] = [];
let before = { at: performance.now(), cpu: ownCpuSeconds() };

const events = run({
  files: [join(import.meta.dirname, 'load-suites.ts')],
  isolation: 'none',
  ...(namePattern ? { testNamePatterns: new RegExp(namePattern) } : {}),
});

// With listeners and not by reading the stream: a test that never waits would not let the reader run.
events.on('test:dequeue', (started) => {
  enter(running, started);
  const [file = '', ...titles] = running;
  send({ kind: 'started', file, title: titles.join(' › ') });
});
events.on('test:start', (started) => enter(reported, started));
events.on('test:pass', (ending) => {
  const because = ending.skip ?? ending.todo;
  const title = titleOf(ending);
  if (because !== undefined && because !== false) {
    send({ kind: 'skipped', ...title, because: because === true ? 'not written yet' : because });
  } else if (ending.details.type !== 'suite') {
    send({ kind: 'passed', ...title });
  }
  if (ending.nesting === 0) over(ending.name);
});
events.on('test:fail', (ending) => {
  const { error } = ending.details;
  const isEcho = 'failureType' in error && error.failureType === 'subtestsFailed';
  if (ending.todo) send({ kind: 'skipped', ...titleOf(ending), because: 'not written yet' });
  else if (!isEcho) send({ kind: 'failed', ...titleOf(ending), because: describeError(error) });
  if (ending.nesting === 0) over(ending.name);
});
// Node reports work that fails after its test has ended as a diagnostic.
events.on('test:diagnostic', ({ message }) => {
  if (!/^(Error|Warning): (A|Test) /.test(message)) return;
  const file = files.find((each) => message.includes(each)) ?? reported[0] ?? '';
  send({ kind: 'failed', file, title: 'work that continued after its test', because: message });
});

for await (const _ of events);
send({ kind: 'end', cpuSeconds: ownCpuSeconds() });

function enter(titles: string[], { name, nesting }: Ending): void {
  titles.length = nesting;
  titles.push(name);
}

function titleOf({ name, nesting }: Ending): TestPlace {
  const [file = '', ...titles] = [...reported.slice(0, nesting), name];
  return { file, title: titles.join(' › ') || file };
}

function describeError(error: Error): string {
  const { cause } = error;
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? error);
  return text.replace(/\n +at .*(node:internal|node:async_hooks|<anonymous>\)$).*/gm, '');
}

function over(file: string): void {
  const now = { at: performance.now(), cpu: ownCpuSeconds() };
  const seconds = (now.at - before.at) / 1000;
  send({ kind: 'over', file, seconds, cpuSeconds: now.cpu - before.cpu });
  before = now;
}

function send(message: SuiteMessage): void {
  process.send?.(message);
}
