import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../domain/project.ts';
import type { CellEnd, CellProcess } from '../../ports/cell.ts';
import { streamsOf } from '../cell/streams.ts';
import { DESCRIPTORS } from './enter.ts';

export interface Launch {
  readonly argv: readonly string[];
  /** Of the program; the programs on the way to it get none. */
  readonly env: Readonly<Record<string, string>>;
  readonly filter: string | undefined;
  /** Told the first process of the cell by its number on the host; answers with the limit that was met. */
  readonly met: (first: number) => keyof Limits | null;
}

/** Starts bwrap with all that comes after it. */
export function launch({ argv, env, filter, met }: Launch): CellProcess {
  const child = begin(argv, filter);
  const streams = streamsOf(child);
  const status = readStatus(child);
  (child.stdio[DESCRIPTORS.secrets] as Writable).on('error', () => undefined).end(settingsOf(env));

  let isKilled = false;
  let limit: keyof Limits | null = null;
  function look(): void {
    const first = status.first();
    if (limit === null && first !== undefined) limit = met(first);
    if (limit !== null) child.kill('SIGKILL');
  }
  const watching = setInterval(look, LOOK_EVERY);

  async function end(): Promise<CellEnd> {
    const { code, signal } = await exitOf(child);
    clearInterval(watching);
    look();
    await status.read;
    await untilGone(status.first());
    if (isKilled || limit !== null) return { code: null, signal: 'SIGKILL', limit };
    return { code: status.hasRun() ? code : BUILD_FAILED, signal, limit };
  }
  return {
    ...streams,
    ended: end(),
    kill() {
      isKilled ||= child.exitCode === null && child.signalCode === null;
      child.kill('SIGKILL');
    },
  };
}

const LOOK_EVERY = 100;

/** What a shell answers for a program that is there and cannot be run. */
const BUILD_FAILED = 126;

function begin([program = '', ...rest]: readonly string[], filter: string | undefined) {
  const filterFile = openSync(filter ?? '/dev/null', 'r');
  const nothing = openSync('/dev/null', 'r+');
  const stdio: ('pipe' | 'ignore' | number)[] = [
    'pipe',
    'pipe',
    'pipe',
    'pipe',
    'pipe',
    filterFile,
  ];
  // A descriptor that a shell or a supervisor left open in this process would be open inside as well.
  for (const leaked of inheritedDescriptors().filter((each) => each >= stdio.length)) {
    while (stdio.length < leaked) stdio.push('ignore');
    stdio[leaked] = nothing;
  }
  try {
    return spawn(program, rest, { env: {}, cwd: '/', stdio });
  } finally {
    closeSync(filterFile);
    closeSync(nothing);
  }
}

const CLOSED_ON_EXEC = 0o2000000;

/** Node marks its own descriptors to be closed in a child; what is not marked came from outside. */
function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => {
      const facts = readIfThere(`/proc/self/fdinfo/${descriptor}`);
      const flags = /^flags:\s+([0-7]+)/m.exec(facts ?? '')?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
    })
    .sort((a, b) => a - b);
}

function settingsOf(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .flatMap(([name, value]) => ['--setenv', name, value])
    .map((word) => `${word}\0`)
    .join('');
}

/** bwrap tells which process is the first inside, and that the program ended by itself. */
function readStatus(child: ChildProcess) {
  let text = '';
  const stream = child.stdio[DESCRIPTORS.status] as Readable;
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const first = () => /"child-pid":\s*(\d+)/.exec(text)?.[1];
  return {
    first: () => (first() === undefined ? undefined : Number(first())),
    hasRun: () => text.includes('"exit-code"'),
    read: new Promise<void>((settle) => {
      stream.once('close', () => settle());
    }),
  };
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((settle) => {
    child.once('error', () => settle({ code: BUILD_FAILED, signal: null }));
    child.once('exit', (code, signal) => settle({ code, signal }));
  });
}

/** The first process inside is reaped after all others of its namespace: then nothing is left. */
async function untilGone(first: number | undefined): Promise<void> {
  if (first === undefined) return;
  for (;;) {
    const state = readIfThere(`/proc/${first}/stat`)?.split(') ').at(-1)?.[0];
    if (state === undefined || state === 'Z' || state === 'X') return;
    await sleep(2);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
