import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { allProcesses, GroupTimes } from './cpu-time.ts';
import type { SuiteMessage } from './suite-process.ts';
import { ROOT } from './tree.ts';
import { PATIENCE, type Patience, Watchdog } from './watchdog.ts';

export interface ProcessOptions {
  readonly namePattern: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** CPU seconds that the files usually need together, if known. */
  readonly usualSeconds: number | undefined;
  readonly patience?: Patience;
}

/** The messages of a process, and how it ended. */
export interface Ended {
  readonly messages: readonly SuiteMessage[];
  readonly fault: string | undefined;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly output: string;
}

const OUTPUT_KEPT = 20_000;
/** Shared by all runs in this clone: with it a process starts in a third of the CPU time. */
const COMPILE_CACHE = join(ROOT, '.cache/compiled');

/** Runs test files in their own process, until it ends or is killed. */
export async function runProcess(
  files: readonly string[],
  options: ProcessOptions,
): Promise<Ended> {
  const started = performance.now();
  const messages: SuiteMessage[] = [];
  const child = spawnSuites(files, options);
  const output = keepOutput(child);
  const times = new GroupTimes(child.pid ?? 0);

  const fault = await ending(child, messages, { files, options, times });
  const end = messages.find((message) => message.kind === 'end');
  return {
    messages,
    fault,
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: Math.max(times.seen([]), end?.cpuSeconds ?? 0),
    output: output(),
  };
}

function spawnSuites(files: readonly string[], options: ProcessOptions): ChildProcess {
  const { namePattern = '', variables } = options;
  const program = join(import.meta.dirname, 'suite-process.ts');
  const paths = files.map((file) => resolve(ROOT, file));
  return spawn(process.execPath, [program, namePattern, ...paths], {
    cwd: ROOT,
    // A process group, so that everything a hanging test has started can be killed with it.
    detached: true,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

interface Watched {
  readonly files: readonly string[];
  readonly options: ProcessOptions;
  readonly times: GroupTimes;
}

/** Resolves when the process is gone, with a fault if it did not end properly. */
function ending(
  child: ChildProcess,
  messages: SuiteMessage[],
  { files, options, times }: Watched,
): Promise<string | undefined> {
  const { signal, usualSeconds, patience = PATIENCE } = options;
  const { promise, resolve: settle } = Promise.withResolvers<string | undefined>();
  const watchdog = new Watchdog(usualSeconds, patience);
  let fault: string | undefined;

  function kill(because: string): void {
    fault ??= because;
    killGroup(child);
  }

  const look = setInterval(() => {
    const objection = watchdog.objection({
      atMs: performance.now(),
      cpuSeconds: times.seen(allProcesses()),
      heard: messages.length,
      isOver: messages.filter(({ kind }) => kind === 'over').length === files.length,
      loadPerCore: (loadavg()[0] ?? 0) / availableParallelism(),
      at: lastStarted(messages),
    });
    if (objection !== undefined) kill(objection);
  }, patience.everyMs);
  const interrupt = () => kill('was interrupted');
  signal.addEventListener('abort', interrupt);

  child.on('message', (message: SuiteMessage) => messages.push(message));
  child.once('error', (error) => settle(`could not be started: ${error.message}`));
  child.once('close', (code, by) => {
    clearInterval(look);
    signal.removeEventListener('abort', interrupt);
    const isComplete = messages.some(({ kind }) => kind === 'end');
    const early = `exited too early with ${by ?? `code ${code}`}, ${lastStarted(messages)}`;
    settle(fault ?? (isComplete ? undefined : early));
  });
  return promise;
}

function lastStarted(messages: readonly SuiteMessage[]): string {
  const last = messages.findLast((message) => message.kind === 'started');
  if (last === undefined) return 'before its first test';
  const file = last.file.replace(`${ROOT}/`, '');
  return last.title === '' ? `while loading ${file}` : `in ${file}: ${last.title}`;
}

/** Also closes the pipes, which a process that left the group may still hold. */
function killGroup({ pid, stdout, stderr }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
  stdout?.destroy();
  stderr?.destroy();
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
