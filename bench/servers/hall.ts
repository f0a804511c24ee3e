import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import { ROOT } from '../places.ts';
import { configFile } from '../store/declare.ts';
import { endWithUs } from './end-with-us.ts';

export interface HallProcess {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until it was ready. */
  readonly readyAfter: number;
  stop(): Promise<void>;
  /** Like a power cut, as far as the process can tell. */
  kill(): Promise<void>;
}

export interface HallOptions {
  /** Its data folder is created here; an existing one is reused. */
  readonly folder: string;
  /** `sqlite`, or the address of a database. */
  readonly store: string;
  /** Workers that each project may have at once. */
  readonly slots: number;
  /** Arguments for Node itself, such as a profiler's. */
  readonly nodeArguments?: readonly string[];
}

const START_TIMEOUT = 120_000;

/** The product as people start it: its own process, its own configuration file, real tokens. */
export async function startHall(options: HallOptions): Promise<HallProcess> {
  const data = join(options.folder, 'data');
  const port = await freePort();
  const config = join(options.folder, 'guildhall.yaml');
  await mkdir(options.folder, { recursive: true });
  await writeFile(config, configFile({ ...options, data, port }));
  const from = performance.now();
  const child = spawn(
    process.execPath,
    [...(options.nodeArguments ?? []), join(ROOT, 'bin/guildhall.js'), 'start', '--config', config],
    {
      cwd: options.folder,
      env: { ...process.env, BENCH_CREDENTIAL: 'none-is-needed' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  endWithUs(child);
  const complaints = listen(child);
  const url = `http://127.0.0.1:${port}`;
  await ready(child, url, complaints);
  const readyAfter = performance.now() - from;
  child.once('exit', (code, signal) => {
    if (code !== 0 && signal !== 'SIGKILL') {
      console.error(`the hall exited with ${signal ?? code}: ${complaints()}`);
    }
  });
  return {
    url,
    token: readFileSync(join(data, 'token'), 'utf8').trim(),
    pid: child.pid ?? 0,
    readyAfter,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** The last lines of its output, for when it does not start. */
function listen(child: ChildProcess): () => string {
  let last = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (text: string) => {
    last = (last + text).slice(-4_000);
  });
  return () => last.trim();
}

async function ready(child: ChildProcess, url: string, complaints: () => string): Promise<void> {
  const until = performance.now() + START_TIMEOUT;
  while (child.exitCode === null && child.signalCode === null && performance.now() < until) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(5);
  }
  throw new Error(`the hall did not start (exit code ${child.exitCode}): ${complaints()}`);
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
