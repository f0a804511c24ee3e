import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { CellRefused } from '../../ports/cell.ts';

/** Where to look for an engine. */
export interface EngineLocation {
  readonly path: string;
  /** The address of Docker's daemon (DOCKER_HOST); undefined leaves it to Docker. */
  readonly dockerHost?: string | undefined;
}

/** Podman or Docker, by its command line. */
export interface Engine extends EngineLocation {
  readonly kind: 'podman' | 'docker';
  readonly program: string;
  /** Options before the command. */
  readonly options: readonly string[];
}

interface EngineResult {
  readonly code: number | null;
  readonly stdout: string;
  /** The line of its error output that says why. */
  readonly lastError: string;
}

/** Podman first: it needs no daemon, gives each container its own users, and works for ordinary users. */
export function findEngine({ path, dockerHost }: EngineLocation): Engine | undefined {
  for (const kind of ['podman', 'docker'] as const) {
    const program = findProgram(kind, path);
    if (program === undefined) continue;
    const options = kind === 'podman' && needsRunc(path) ? ['--runtime', 'runc'] : [];
    return { kind, program, options, path, dockerHost };
  }
  return undefined;
}

/** Why the daemon of an engine cannot serve cells: they share folders, pipes and process ids with it. */
export function daemonFault({ kind, dockerHost }: Engine): string | null {
  if (kind !== 'docker' || dockerHost === undefined) return null;
  if (dockerHost.startsWith('unix://')) return null;
  return (
    `DOCKER_HOST is ${dockerHost}, but cells need a daemon on their own machine; ` +
    'set it to a socket such as unix:///var/run/docker.sock, or unset it'
  );
}

/** crun does not start containers where cgroup v1 and v2 are mixed; runc does. */
function needsRunc(path: string): boolean {
  const isOneHierarchy = existsSync('/sys/fs/cgroup/cgroup.controllers');
  return !isOneHierarchy && findProgram('runc', path) !== undefined;
}

/** Passes nothing else of the worker's environment; HOME is that of the account. */
function environment({ kind, path, dockerHost }: Engine): Record<string, string> {
  const { uid, homedir } = userInfo();
  const runtimeFolder = `/run/user/${uid}`;
  return {
    PATH: path,
    HOME: homedir,
    TMPDIR: tmpdir(),
    ...(existsSync(runtimeFolder) && { XDG_RUNTIME_DIR: runtimeFolder }),
    ...(kind === 'docker' && dockerHost !== undefined && { DOCKER_HOST: dockerHost }),
  };
}

export function spawnEngine(engine: Engine, args: readonly string[]): ChildProcess {
  return spawn(engine.program, [...engine.options, ...args], {
    env: environment(engine),
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Gives up on a runtime that does not answer, so that no caller waits for ever. */
export function runEngine(
  engine: Engine,
  args: readonly string[],
  timeout: number = ENGINE_TIMEOUT,
): Promise<EngineResult> {
  const child = spawnEngine(engine, args);
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('the engine was started without stdio pipes');
  stdin.on('error', () => undefined).end();
  let out = '';
  let err = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  return new Promise((settle) => {
    const finish = (code: number | null, lastError: string) => {
      clearTimeout(timer);
      settle({ code, stdout: out.trim(), lastError });
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      // Its children may hold its streams too.
      for (const stream of [stdout, stderr]) stream.destroy();
      finish(null, `no response within ${timeout / 1_000} seconds`);
    }, timeout);
    child.once('error', (error) => finish(127, error.message));
    child.once('close', (code) => finish(code, reasonIn(err)));
  });
}

/** The last line, but Docker adds one more to what its daemon says. */
function reasonIn(err: string): string {
  const lines = err.trim().split('\n');
  return (
    lines.findLast((line) => line.startsWith('Error response from daemon: ')) ?? lines.at(-1) ?? ''
  );
}

/** The first container of a large image may take minutes: Podman copies it for the container's users. */
const ENGINE_TIMEOUT = 600_000;

/** Like `runEngine`, but throws: isolation cannot be built without the result. */
export async function requireEngine(engine: Engine, args: readonly string[]): Promise<string> {
  const { code, stdout, lastError } = await runEngine(engine, args);
  if (code === 0) return stdout;
  const reason = lastError || `exit code ${code}`;
  throw new CellRefused(
    `${engine.kind} ${args[0]} failed: ${reason}; check the engine with: ${engine.kind} info`,
  );
}

export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((file) => isProgram(file));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
