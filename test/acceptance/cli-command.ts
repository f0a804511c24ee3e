import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Around {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Starts the product's own command line as a person would type it. */
export function typed(args: readonly string[], { cwd, environment = {} }: Around): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Nothing that the machine of the test has set reaches the product. */
function plainEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** Runs a command to its end. */
export async function guildhall(args: readonly string[], around: Around): Promise<Ended> {
  const child = typed(args, around);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin?.end(around.input ?? '');
  await once(child, 'close');
  return { code: child.exitCode, stdout: stdout(), stderr: stderr() };
}

export function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
