import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../domain/project.ts';
import type { CellEnd, CellProcess } from '../../ports/cell.ts';
import { killIfAlive, readIfExists } from '../cell/processes.ts';
import { streamsOf } from '../cell/streams.ts';
import { DESCRIPTORS } from './bwrap-command.ts';

interface Launch {
  readonly argv: readonly string[];
  /** Environment of the program; the programs that lead to it get none. */
  readonly env: Readonly<Record<string, string>>;
  readonly filter: string | undefined;
  /** Takes the host pid of the cell's first process; returns the limit that was exceeded. */
  readonly exceeded: (initPid: number) => keyof Limits | null;
}

/** Starts bwrap and everything that follows it. */
export function launch({ argv, env, filter, exceeded }: Launch): CellProcess {
  const child = spawnBwrap(argv, filter);
  const streams = streamsOf(child);
  const status = readStatus(child);
  pipeOf(child, DESCRIPTORS.secrets).end(environmentArguments(env));

  let isKilled = false;
  let limit: keyof Limits | null = null;
  /**
   * Kills the first process, which takes all others with it. Killing bwrap would leave its half-built
   * setup behind.
   */
  function kill(): void {
    isKilled ||= child.exitCode === null && child.signalCode === null;
    status.whenStarted((initPid) => killIfAlive(initPid));
  }
  function checkLimits(): void {
    const initPid = status.initPid();
    if (limit === null && initPid !== undefined) limit = exceeded(initPid);
    if (limit !== null) kill();
  }
  const timer = setInterval(checkLimits, CHECK_EVERY);
  const isReady = releaseWhenReady(child, () => !isKilled);

  async function end(): Promise<CellEnd> {
    const { code, signal } = await exitOf(child);
    if (limit === null && status.initPid() !== undefined) limit = exceeded(status.initPid() ?? 0);
    clearInterval(timer);
    await status.read;
    await killRemaining(status.initPid(), signal);
    if (isKilled || limit !== null) return { code: null, signal: 'SIGKILL', limit };
    return { code: isReady() ? code : SETUP_FAILED, signal, limit };
  }
  return { ...streams, ended: end(), kill };
}

const CHECK_EVERY = 100;

/** Exit code of a shell for a program that exists but cannot be executed. */
const SETUP_FAILED = 126;

function spawnBwrap([program = '', ...rest]: readonly string[], filter: string | undefined) {
  const filterFile = openSync(filter ?? '/dev/null', 'r');
  const devNull = openSync('/dev/null', 'r+');
  const stdio: ('pipe' | 'ignore' | number)[] = [
    'pipe',
    'pipe',
    'pipe',
    'pipe',
    'pipe',
    filterFile,
    'pipe',
  ];
  // A descriptor that a shell or supervisor left open in this process would be open inside too.
  for (const leaked of inheritedDescriptors().filter((each) => each >= stdio.length)) {
    while (stdio.length < leaked) stdio.push('ignore');
    stdio[leaked] = devNull;
  }
  try {
    return spawn(program, rest, { env: {}, cwd: '/', stdio });
  } finally {
    closeSync(filterFile);
    closeSync(devNull);
  }
}

const CLOSED_ON_EXEC = 0o2000000;

/** Node marks its own descriptors close-on-exec; unmarked ones came from outside. */
function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => {
      const facts = readIfExists(`/proc/self/fdinfo/${descriptor}`);
      const flags = /^flags:\s+([0-7]+)/m.exec(facts ?? '')?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
    })
    .sort((a, b) => a - b);
}

function environmentArguments(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .flatMap(([name, value]) => ['--setenv', name, value])
    .map((argument) => `${argument}\0`)
    .join('');
}

function pipeOf(child: ChildProcess, descriptor: number): Duplex {
  // Output after its end and unread input can be dropped.
  return (child.stdio[descriptor] as Duplex).on('error', () => undefined);
}

/** Answers the first process inside when it is ready, unless it is about to be killed. */
function releaseWhenReady(child: ChildProcess, mayStart: () => boolean): () => boolean {
  let isReady = false;
  const lifeline = pipeOf(child, DESCRIPTORS.lifeline);
  lifeline.on('data', () => {
    isReady = true;
    if (mayStart()) lifeline.end('go\n');
    else lifeline.destroy();
  });
  return () => isReady;
}

/** bwrap reports the pid of the first process inside. */
function readStatus(child: ChildProcess) {
  let output = '';
  const waiting: ((initPid: number) => void)[] = [];
  const stream = pipeOf(child, DESCRIPTORS.status);
  function initPid(): number | undefined {
    const digits = /"child-pid":\s*(\d+)\D/.exec(output)?.[1];
    return digits === undefined ? undefined : Number(digits);
  }
  stream.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    const known = initPid();
    if (known !== undefined) for (const act of waiting.splice(0)) act(known);
  });
  return {
    initPid,
    whenStarted(act: (initPid: number) => void) {
      const known = initPid();
      if (known === undefined) waiting.push(act);
      else if (child.exitCode === null && child.signalCode === null) act(known);
    },
    read: new Promise<void>((settle) => {
      stream.once('close', () => settle());
    }),
  };
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((settle) => {
    child.once('error', () => settle({ code: SETUP_FAILED, signal: null }));
    child.once('exit', (code, signal) => settle({ code, signal }));
  });
}

/**
 * bwrap exits after the first process inside is reaped, and so after all others in its namespace. If
 * bwrap itself was killed, kill them here.
 */
async function killRemaining(initPid: number | undefined, signal: string | null): Promise<void> {
  if (initPid === undefined || signal === null) return;
  for (;;) {
    const state = readIfExists(`/proc/${initPid}/stat`)?.split(') ').at(-1)?.[0];
    if (state === undefined || state === 'Z' || state === 'X') return;
    killIfAlive(initPid);
    await sleep(2);
  }
}
