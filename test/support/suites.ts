import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SuiteMessage } from './suite-process.ts';
import { ROOT } from './tree.ts';

export interface Failure {
  readonly title: string;
  readonly because: string;
}

/** How one test file, or one check, ended. */
export interface SuiteResult {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly skipped: readonly Failure[];
  /** What it printed; shown only when something failed. */
  readonly output: string;
}

interface SuiteOptions {
  readonly namePattern: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly report: (result: SuiteResult) => void;
}

interface Limits {
  readonly file: number;
  /** A file whose tests are all over has something open if it does not end by itself. */
  readonly exit: number;
}

// The slowest file takes five minutes on two cores, and what follows the last test may ask a busy engine.
const LIMITS: Limits = { file: 30 * 60_000, exit: 120_000 };
const AT_ONCE = 2;
const OUTPUT_KEPT = 20_000;

/** Test files of the given globs, relative to the root; live tests are run by hand, and alone. */
export function findSuites(
  globs: readonly string[],
  filters: readonly string[],
  { live = false } = {},
): string[] {
  return globSync([...globs], { cwd: ROOT })
    .filter((file) => file.startsWith('test/live/') === live)
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
}

/** Runs the files, two at a time, and reports each as it ends. */
export async function runSuites(
  files: readonly string[],
  options: SuiteOptions,
): Promise<SuiteResult[]> {
  const waiting = [...files];
  const results: SuiteResult[] = [];

  async function work(): Promise<void> {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (options.signal.aborted) return;
      const result = await runSuite(file, options);
      results.push(result);
      options.report(result);
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
  return results;
}

export async function runSuite(
  file: string,
  options: SuiteOptions,
  limits: Limits = LIMITS,
): Promise<SuiteResult> {
  const started = performance.now();
  const messages: SuiteMessage[] = [];
  const child = spawnSuite(file, options);
  const output = keepOutput(child);

  const fault = await ending(child, messages, { signal: options.signal, limits });
  const failures = messages.filter((message) => message.kind === 'failed');
  return {
    name: file,
    seconds: (performance.now() - started) / 1000,
    passed: messages.filter(({ kind }) => kind === 'passed').length,
    failures: fault ? [...failures, { title: file, because: fault }] : failures,
    skipped: messages.filter((message) => message.kind === 'skipped'),
    output: output(),
  };
}

function spawnSuite(file: string, { namePattern = '', variables }: SuiteOptions): ChildProcess {
  const program = join(import.meta.dirname, 'suite-process.ts');
  return spawn(process.execPath, [program, resolve(ROOT, file), namePattern], {
    cwd: ROOT,
    // A group of its own, so that what a hanging test has started can be ended with it.
    detached: true,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

/** Resolves when the process is gone, with what was wrong about its end. */
function ending(
  child: ChildProcess,
  messages: SuiteMessage[],
  { signal, limits }: { signal: AbortSignal; limits: Limits },
): Promise<string | undefined> {
  const { promise, resolve: settle } = Promise.withResolvers<string | undefined>();
  let fault: string | undefined;

  function kill(because: string): void {
    fault = because;
    killGroup(child);
  }

  const total = setTimeout(kill, limits.file, `did not end within ${limits.file / 1000} s`);
  const exit = setTimeout(() => {
    const open = count(messages, 'queued') - count(messages, 'done');
    if (messages.length > 0 && open === 0) {
      kill(`did not exit within ${limits.exit / 1000} s of its last test: something is open`);
    }
  }, limits.exit);
  const interrupt = () => kill('was interrupted');
  signal.addEventListener('abort', interrupt);

  child.on('message', (message: SuiteMessage) => {
    messages.push(message);
    exit.refresh();
  });
  child.once('error', (error) => settle(`could not be started: ${error.message}`));
  child.once('close', (code, by) => {
    clearTimeout(total);
    clearTimeout(exit);
    signal.removeEventListener('abort', interrupt);
    const isComplete = messages.some(({ kind }) => kind === 'end');
    settle(fault ?? (isComplete ? undefined : `ended with ${by ?? `exit code ${code}`} too early`));
  });
  return promise;
}

/** Also lets go of the pipes, which something that left the group may still hold. */
function killGroup({ pid, stdout, stderr }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
  stdout?.destroy();
  stderr?.destroy();
}

function count(messages: readonly SuiteMessage[], kind: SuiteMessage['kind']): number {
  return messages.filter((message) => message.kind === kind).length;
}

function keepOutput(child: ChildProcess): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-OUTPUT_KEPT);
    });
  }
  return () => kept;
}
