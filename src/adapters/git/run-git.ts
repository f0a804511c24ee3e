import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { RepositoryFailed } from '../../ports/workspace.ts';
import { openCredential } from './credential.ts';
import type { Remote } from './remote.ts';

/** Git on the host. It never runs in a folder that an agent could write to. */
export interface Git {
  /** Git's output. Throws `RepositoryFailed` on any exit code but 0. */
  run(call: GitCall): Promise<Buffer>;
  /** The same as text. */
  text(call: GitCall): Promise<string>;
  /** For calls whose exit code is an answer. */
  exec(call: GitCall): Promise<GitResult>;
}

export interface GitCall {
  /** The repository; always explicit, never discovered. */
  readonly dir: string;
  readonly args: readonly string[];
  /** What the call does, for the error message. */
  readonly doing: string;
  readonly stdin?: string | Uint8Array | Readable;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly string[];
  /** The one remote that this call may reach. */
  readonly remote?: Remote;
  /** A lock that lasts as long as this git. */
  readonly lock?: { readonly fd: number };
  readonly seconds?: number;
  /** Git is ended when it prints more than this. */
  readonly mostBytes?: number;
  readonly onLine?: (line: string) => void;
}

export interface GitResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

interface GitEnvironment {
  readonly path: string;
  /** Empty, so git finds no personal settings. */
  readonly home: string;
}

export function createGit(environment: GitEnvironment): Git {
  mkdirSync(environment.home, { recursive: true, mode: 0o700 });

  async function run(call: GitCall): Promise<Buffer> {
    const result = await runOnce(environment, call);
    if (result.code !== 0) throw failureOf(call, result);
    return result.stdout;
  }

  return {
    run,
    text: async (call) => (await run(call)).toString('utf8').trimEnd(),
    exec: (call) => runOnce(environment, call),
  };
}

/** One sentence: what was tried, where, how it ended and what git printed. */
export function failureOf(
  { doing, args, remote }: GitCall,
  { code, stderr }: GitResult,
): RepositoryFailed {
  const how = code === null ? 'was stopped' : `failed with exit code ${code}`;
  const message = errorText(stderr, remote?.credential ?? null);
  return new RepositoryFailed(`${doing}: git ${args[0]} ${how}: ${message}${hint(stderr)}`, {
    cause: { args, code, stderr: message },
  });
}

/** True when one of our limits ended git, rather than something git found. */
export function wasStoppedByLimit(error: unknown): error is RepositoryFailed {
  if (!(error instanceof RepositoryFailed)) return false;
  const { cause } = error;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === null;
}

const MAX_STDERR = 64 * 1024;
const SECONDS = 300;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * None of these comes from a repository. Object replacement, hooks, background work, password prompts
 * and every protocol are off; a call enables the one protocol that it needs.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.bigFileThreshold=16m',
  'core.pager=cat',
  'core.askPass=false',
  'core.sshCommand=false',
  'credential.helper=',
  'safe.bareRepository=explicit',
  'protocol.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'fetch.unpackLimit=1',
  'transfer.fsckObjects=true',
  'transfer.credentialsInUrl=die',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
];

function argumentsFor({ dir, args, config = [], remote }: GitCall): string[] {
  const protocol = remote ? [`protocol.${remote.protocol}.allow=always`] : [];
  // A redirect would carry the credential to its target.
  const redirects = remote?.credential ? ['http.followRedirects=false'] : [];
  const settings = [...SETTINGS, ...protocol, ...redirects, ...config].flatMap((each) => [
    '-c',
    each,
  ]);
  return [`--git-dir=${dir}`, '--no-pager', ...settings, ...args];
}

function environmentFor(
  { path, home }: GitEnvironment,
  extra: GitCall['env'],
): Record<string, string> {
  return {
    PATH: path,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'none'),
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_EDITOR: 'false',
    ...extra,
  };
}

function runOnce(environment: GitEnvironment, call: GitCall): Promise<GitResult> {
  const { remote, lock, stdin } = call;
  const credential = remote?.credential ? openCredential(environment.home, remote) : undefined;
  const env = environmentFor(environment, { ...credential?.env, ...call.env });
  const child = spawn('git', argumentsFor(call), {
    cwd: environment.home,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', credential?.fd ?? 'ignore', lock?.fd ?? 'ignore'],
  });
  credential?.close();
  if (child.stdin) writeInput(child.stdin, stdin ?? '');
  return resultOf(child, call);
}

/** A git that exits early closes its end; its exit code tells that it did not read everything. */
function writeInput(to: Writable, from: string | Uint8Array | Readable): void {
  to.on('error', () => undefined);
  if (from instanceof Readable) from.pipe(to);
  else to.end(from);
}

function resultOf(child: ChildProcess, call: GitCall): Promise<GitResult> {
  const { doing, seconds = SECONDS, mostBytes = MAX_BYTES, onLine } = call;
  const { promise, resolve, reject } = Promise.withResolvers<GitResult>();
  const stdout: Buffer[] = [];
  let length = 0;
  let stderr = '';
  let because: string | undefined;

  function end(why: string): void {
    because ??= why;
    killGroup(child);
  }
  const timer = setTimeout(() => end(`took longer than ${seconds} seconds`), seconds * 1000);
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostBytes) end(`printed more than ${mostBytes} bytes`);
    else stdout.push(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR);
    if (onLine) for (const line of text.split(/[\r\n]+/)) if (line !== '') onLine(line);
  });
  child.once('error', (error) => {
    clearTimeout(timer);
    reject(new RepositoryFailed(`${doing}: git could not be started`, { cause: error }));
  });
  child.once('close', (code) => {
    clearTimeout(timer);
    if (because === undefined) resolve({ code, stdout: Buffer.concat(stdout), stderr });
    else resolve({ code: null, stdout: Buffer.concat(stdout), stderr: because });
  });
  return promise;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function errorText(stderr: string, credential: string | null): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('hint:'));
  const errors = lines.filter((line) => /^(fatal|error|remote|warning)\b/.test(line));
  const message = (errors.length > 0 ? errors : lines).slice(-4).join('; ').slice(0, 800);
  const masked = message.replace(/\/\/[^/@\s]*@/g, '//');
  return (credential ? masked.replaceAll(credential, '…') : masked) || 'no output';
}

function hint(stderr: string): string {
  return stderr.includes('dubious ownership')
    ? ' (the repository belongs to another account: run the worker as its owner)'
    : '';
}
