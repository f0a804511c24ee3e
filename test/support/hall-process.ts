import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Caller } from './caller.ts';
import { freePort } from './free-port.ts';

export const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

export interface HallProcessOptions {
  readonly projects?: Readonly<Record<string, number>>;
  readonly store?: string;
  /** As in the file. */
  readonly invokers?: readonly object[];
  readonly types?: Readonly<Record<string, object>>;
  readonly forges?: Readonly<Record<string, object>>;
  /** Projects as in the file, in addition to `projects`. */
  readonly declared?: readonly object[];
  /** Variables for the hall in addition to those of the test. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings under `hall:` in addition to those of every test hall. */
  readonly hall?: Readonly<Record<string, unknown>>;
  /** Complete sections of the file, instead of those of a test hall. */
  readonly sections?: Readonly<Record<string, unknown>>;
  /** Shares the folder of another hall process, like a second start by mistake. */
  readonly folder?: string;
}

/** A hall that has not started or stopped by then never will. */
const PATIENCE = 600_000;

/** A started hall. */
export interface Running {
  readonly pid: number;
  /** Undefined while it runs, null when a signal ended it. */
  readonly code: number | null | undefined;
  readonly ended: Promise<unknown>;
  signal(signal: NodeJS.Signals): void;
}

/** Where a hall runs, and its options. */
interface LaidOut {
  readonly folder: string;
  readonly port: number;
  readonly config: string;
  readonly options: HallProcessOptions;
}

/** Writes the configuration file of a hall that is not started yet. */
export async function layOut(options: HallProcessOptions): Promise<LaidOut> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'hall-'));
  const port = await freePort();
  const config = join(folder, `guildhall-${port}.yaml`);
  writeFileSync(config, JSON.stringify(settings(options, folder, port)));
  return { folder, port, config, options };
}

/** The product as an operator runs it: its own process, on its own folder and port. */
export class HallProcess {
  readonly folder: string;
  readonly url: string;
  readonly config: string;
  readonly #own: boolean;
  readonly #env: Readonly<Record<string, string>>;
  #running: Running | undefined;
  #output = '';

  protected constructor({ folder, port, config, options }: LaidOut) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.config = config;
    this.#own = options.folder === undefined;
    this.#env = options.env ?? {};
  }

  static async create(options: HallProcessOptions = {}): Promise<HallProcess> {
    return new HallProcess(await layOut(options));
  }

  static async start(options: HallProcessOptions = {}): Promise<HallProcess> {
    const hall = await HallProcess.create(options);
    await hall.start();
    return hall;
  }

  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  get output(): string {
    return this.#output;
  }

  /** The token that the operator's own tools find in the folder. */
  get token(): string {
    return readFileSync(join(this.folder, 'data', 'token'), 'utf8').trim();
  }

  caller(token = this.token): Caller {
    return new Caller(this.url, token);
  }

  /** Resolves when the hall answers; rejects with its output if it ends instead. */
  start(): Promise<void> {
    return this.open(this.run.bind(this));
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const running = this.#running;
    if (!running || running.code !== undefined) return running?.code ?? null;
    running.signal(signal);
    const late = new AbortController();
    const patience = sleep(PATIENCE, 'late', { signal: late.signal }).catch(() => undefined);
    const first = await Promise.race([running.ended, patience]);
    late.abort();
    if (first === 'late') throw new Error(this.#late(`did not exit after ${signal}`));
    return running.code ?? null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#running?.signal(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    if (this.#own) rmSync(this.folder, { recursive: true, force: true });
  }

  protected get launcher(): string {
    return BIN;
  }

  protected get command(): readonly string[] {
    return ['start', '--config', this.config];
  }

  protected get environment(): NodeJS.ProcessEnv {
    return { ...process.env, NO_COLOR: '1', ...this.#env };
  }

  /** Starts it and passes on its output. */
  protected run(onText: (text: string) => void): Running {
    const child = spawn(process.execPath, [this.launcher, ...this.command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.folder,
      env: this.environment,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', onText);
    return {
      pid: child.pid ?? 0,
      get code() {
        return child.signalCode === null ? (child.exitCode ?? undefined) : null;
      },
      ended: once(child, 'exit'),
      signal: (signal) => void child.kill(signal),
    };
  }

  /** Ends the hall in whatever state it is. */
  protected async end(): Promise<void> {
    this.signal('SIGCONT');
    await this.stop('SIGKILL');
  }

  protected async open(run: (onText: (text: string) => void) => Running): Promise<void> {
    const running = run((text) => {
      this.#output = `${this.#output}${text}`.slice(-20_000);
    });
    this.#running = running;
    const deadline = performance.now() + PATIENCE;
    while (!(await this.#answers())) {
      const { code } = running;
      if (code !== undefined) throw new Error(`the hall exited with ${code}: ${this.#output}`);
      if (performance.now() > deadline) throw new Error(this.#late('did not answer'));
      await sleep(10);
    }
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

function settings(options: HallProcessOptions, folder: string, port: number) {
  const { projects = {}, declared = [], store, hall, invokers, types, forges } = options;
  return {
    ...(invokers && { invokers }),
    ...(types && { types }),
    ...(forges && { forges }),
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
    ...options.sections,
  };
}
