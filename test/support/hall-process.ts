import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Caller } from './caller.ts';
import { freePort } from './free-port.ts';

export const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

export interface HallProcessAsked {
  readonly projects?: Readonly<Record<string, number>>;
  readonly store?: string;
  /** As they stand in the file. */
  readonly invokers?: readonly object[];
  readonly types?: Readonly<Record<string, object>>;
  /** Projects as they stand in the file, beside those of `projects`. */
  readonly declared?: readonly object[];
  /** What the hall finds in its environment besides what the test has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings under `hall:` beside those every test hall has. */
  readonly hall?: Readonly<Record<string, unknown>>;
  /** Whole sections of the file, in place of those a test hall has. */
  readonly sections?: Readonly<Record<string, unknown>>;
  /** Shares the folder of another hall process, as a second start by mistake does. */
  readonly folder?: string;
}

/** So long that a hall which is not there by then, or not gone, never will be. */
const PATIENCE = 120_000;

/** The product as an operator runs it: its own process, on its own folder and port. */
export class HallProcess {
  readonly folder: string;
  readonly url: string;
  readonly config: string;
  readonly #own: boolean;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(folder: string, port: number, config: string, asked: HallProcessAsked) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.config = config;
    this.#own = asked.folder === undefined;
    this.#env = asked.env ?? {};
  }

  static async create(asked: HallProcessAsked = {}): Promise<HallProcess> {
    const folder = asked.folder ?? mkdtempSync(join(tmpdir(), 'hall-'));
    const port = await freePort();
    const config = join(folder, `guildhall-${port}.yaml`);
    writeFileSync(config, JSON.stringify(settings(asked, folder, port)));
    return new HallProcess(folder, port, config, asked);
  }

  static async start(asked: HallProcessAsked = {}): Promise<HallProcess> {
    const hall = await HallProcess.create(asked);
    await hall.start();
    return hall;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get output(): string {
    return this.#output;
  }

  /** What the operator's own tools find in the folder. */
  get token(): string {
    return readFileSync(join(this.folder, 'data', 'token'), 'utf8').trim();
  }

  caller(token = this.token): Caller {
    return new Caller(this.url, token);
  }

  /** Resolves when the hall answers; rejects with what it printed when it ended instead. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [BIN, 'start', '--config', this.config], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: '1', ...this.#env },
    });
    this.#child = child;
    const keep = (chunk: Buffer) => {
      this.#output = `${this.#output}${chunk.toString()}`.slice(-20_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const deadline = performance.now() + PATIENCE;
    while (!(await this.#answers())) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(
          `the hall ended with ${child.exitCode ?? child.signalCode}: ${this.#output}`,
        );
      }
      if (performance.now() > deadline) throw new Error(this.#late('did not answer'));
      await sleep(10);
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE) });
    child.kill(signal);
    await ended.catch((cause) => {
      throw new Error(this.#late(`did not end after ${signal}`), { cause });
    });
    return child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGCONT');
    await this.stop('SIGKILL');
    if (this.#own) rmSync(this.folder, { recursive: true, force: true });
  }

  #late(what: string): string {
    return `the hall ${what} within ${PATIENCE / 1000} s: ${this.#output}`;
  }

  async #answers(): Promise<boolean> {
    if (!existsSync(join(this.folder, 'data'))) return false;
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(`${this.url}/readyz`, { signal }).catch(() => undefined);
    return answer?.status === 200;
  }
}

function settings(asked: HallProcessAsked, folder: string, port: number) {
  const { projects = {}, declared = [], store, hall, invokers, types } = asked;
  return {
    ...(invokers && { invokers }),
    ...(types && { types }),
    hall: {
      data: join(folder, 'data'),
      listen: `127.0.0.1:${port}`,
      ...(store !== undefined && { store }),
      ...hall,
    },
    projects: [
      ...Object.entries(projects).map(([name, max_workers]) => ({ name, max_workers })),
      ...declared,
    ],
    ...asked.sections,
  };
}
