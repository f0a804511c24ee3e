import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { RepositoryFailed } from '../../ports/workspace.ts';
import { openCredential } from './credential.ts';
import type { Remote } from './remote.ts';

/** The git of the host. It is never pointed at a folder that an agent could write to. */
export interface Git {
  /** What git printed. Throws `RepositoryFailed` when it ends with anything but 0. */
  run(call: GitCall): Promise<Buffer>;
  /** The same in words. */
  text(call: GitCall): Promise<string>;
  /** For calls whose exit code is an answer. */
  ask(call: GitCall): Promise<GitAnswer>;
}

export interface GitCall {
  /** The repository; always said, never looked for. */
  readonly dir: string;
  readonly args: readonly string[];
  /** What is being done, for the sentence when it fails. */
  readonly doing: string;
  readonly stdin?: string | Uint8Array | Readable;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly string[];
  /** The one place outside that this call may reach. */
  readonly remote?: Remote;
  /** A lock that lasts as long as this git. */
  readonly lock?: { readonly fd: number };
  readonly seconds?: number;
  /** More than this on standard output ends it. */
  readonly mostBytes?: number;
  readonly onLine?: (line: string) => void;
}

export interface GitAnswer {
  readonly code: number | null;
  readonly out: Buffer;
  readonly said: string;
}

interface GitPlace {
  readonly path: string;
  /** Empty, so that git finds no settings of a person. */
  readonly home: string;
}

export function createGit(place: GitPlace): Git {
  mkdirSync(place.home, { recursive: true, mode: 0o700 });

  async function run(call: GitCall): Promise<Buffer> {
    const answer = await runOnce(place, call);
    if (answer.code !== 0) throw failureOf(call, answer);
    return answer.out;
  }

  return {
    run,
    text: async (call) => (await run(call)).toString('utf8').trimEnd(),
    ask: (call) => runOnce(place, call),
  };
}

/** One sentence: what was tried, where, how it ended and what git said. */
export function failureOf(
  { doing, args, remote }: GitCall,
  { code, said }: GitAnswer,
): RepositoryFailed {
  const how = code === null ? 'was ended' : `failed with exit code ${code}`;
  const words = lastWords(said, remote?.credential ?? null);
  return new RepositoryFailed(`${doing}: git ${args[0]} ${how}: ${words}${wayOut(said)}`, {
    cause: { args, code, said: words },
  });
}

/** True when it was ended by a bound of ours, and not by what git found. */
export function wasBounded(error: unknown): error is RepositoryFailed {
  if (!(error instanceof RepositoryFailed)) return false;
  const { cause } = error;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === null;
}

const LONGEST_SAID = 64 * 1024;
const SECONDS = 300;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Nothing of these comes from a repository. Replacing objects, hooks, background work, programs that
 * ask for passwords and every protocol are off; a call opens the one protocol that it needs.
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
  const open = remote ? [`protocol.${remote.protocol}.allow=always`] : [];
  // A redirect would carry the credential to wherever it leads.
  const still = remote?.credential ? ['http.followRedirects=false'] : [];
  const settings = [...SETTINGS, ...open, ...still, ...config].flatMap((each) => ['-c', each]);
  return [`--git-dir=${dir}`, '--no-pager', ...settings, ...args];
}

function environmentFor({ path, home }: GitPlace, extra: GitCall['env']): Record<string, string> {
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

function runOnce(place: GitPlace, call: GitCall): Promise<GitAnswer> {
  const { remote, lock, stdin } = call;
  const credential = remote?.credential ? openCredential(place.home, remote) : undefined;
  const env = environmentFor(place, { ...credential?.env, ...call.env });
  const child = spawn('git', argumentsFor(call), {
    cwd: place.home,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', credential?.fd ?? 'ignore', lock?.fd ?? 'ignore'],
  });
  credential?.close();
  if (child.stdin) feed(child.stdin, stdin ?? '');
  return ending(child, call);
}

/** A git that ends early closes its end; what it did not read is told by its exit code. */
function feed(to: Writable, from: string | Uint8Array | Readable): void {
  to.on('error', () => undefined);
  if (from instanceof Readable) from.pipe(to);
  else to.end(from);
}

function ending(child: ChildProcess, call: GitCall): Promise<GitAnswer> {
  const { doing, seconds = SECONDS, mostBytes = MOST_BYTES, onLine } = call;
  const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
  const out: Buffer[] = [];
  let length = 0;
  let said = '';
  let because: string | undefined;

  function end(why: string): void {
    because ??= why;
    killGroup(child);
  }
  const timer = setTimeout(
    () => end(`took longer than ${seconds} s and was ended`),
    seconds * 1000,
  );
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostBytes) end(`printed more than ${mostBytes} bytes and was ended`);
    else out.push(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LONGEST_SAID);
    if (onLine) for (const line of text.split(/[\r\n]+/)) if (line !== '') onLine(line);
  });
  child.once('error', (error) => {
    clearTimeout(timer);
    reject(new RepositoryFailed(`${doing}: git could not be started`, { cause: error }));
  });
  child.once('close', (code) => {
    clearTimeout(timer);
    if (because === undefined) resolve({ code, out: Buffer.concat(out), said });
    else resolve({ code: null, out: Buffer.concat(out), said: because });
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

function lastWords(said: string, credential: string | null): string {
  const lines = said
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('hint:'));
  const telling = lines.filter((line) => /^(fatal|error|remote|warning)\b/.test(line));
  const words = (telling.length > 0 ? telling : lines).slice(-4).join('; ').slice(0, 800);
  const masked = words.replace(/\/\/[^/@\s]*@/g, '//');
  return (credential ? masked.replaceAll(credential, '…') : masked) || 'nothing';
}

function wayOut(said: string): string {
  return said.includes('dubious ownership')
    ? ' (the repository belongs to another account: run the worker as its owner)'
    : '';
}
