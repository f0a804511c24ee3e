import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { openTempFolder } from '../temp-folder.ts';

/** A real Gitea on loopback, with its own data, that ends with the process that started it. */
export interface RealGitea extends AsyncDisposable {
  readonly url: string;
  readonly apiUrl: string;
  /** Of the administrator `boss`. */
  readonly token: string;
  /** A new account, and a token that may do all that the account may. */
  addUser(login: string): Promise<string>;
  /** Runs jobs of workflows with `runs-on: host`, on this machine and without containers. */
  startRunner(): Promise<void>;
}

interface Place {
  /** With the programs. */
  readonly built: string;
  readonly folder: string;
  readonly port: number;
}

const PASSWORD = 'only-a-test-1';
const PATIENCE = 120_000;

export async function startRealGitea(built: string): Promise<RealGitea> {
  const place: Place = {
    built,
    folder: openTempFolder('guildhall-gitea-'),
    port: await freePort(),
  };
  const url = `http://127.0.0.1:${place.port}`;
  layOut(place);
  await gitea(place, 'migrate');
  const token = await addUser(place, 'boss', ['--admin']);
  const children = [start(place, 'gitea', ['-c', ini(place), 'web'])];
  await untilHealthy(place, children[0]);
  return {
    url,
    apiUrl: `${url}/api/v1`,
    token,
    addUser: (login) => addUser(place, login, []),
    async startRunner() {
      const given = await gitea(place, 'actions', 'generate-runner-token');
      const options = ['--no-interactive', '--instance', url, '--token', given];
      await run(place, 'runner', ['register', ...options, '--labels', 'host:host']);
      children.push(start(place, 'runner', ['daemon']));
    },
    async [Symbol.asyncDispose]() {
      for (const child of children.reverse()) await end(child);
      rmSync(place.folder, { recursive: true, force: true });
    },
  };
}

/** Gitea refuses to run as root. */
const NOBODY = 65534;

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function ini({ folder }: Place): string {
  return join(folder, 'app.ini');
}

function layOut({ built, folder, port }: Place): void {
  const settings = `
RUN_USER = ${isRoot() ? 'nobody' : (process.env['USER'] ?? 'root')}
RUN_MODE = prod
WORK_PATH = ${folder}
[server]
STATIC_ROOT_PATH = ${join(built, 'static')}
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${join(folder, 'data/gitea.db')}
SQLITE_JOURNAL_MODE = WAL
[repository]
ROOT = ${join(folder, 'data/repos')}
[security]
INSTALL_LOCK = true
SECRET_KEY = only-a-test
[service]
DISABLE_REGISTRATION = true
[webhook]
ALLOWED_HOST_LIST = loopback
DELIVER_TIMEOUT = 5
[actions]
ENABLED = true
[cron]
ENABLED = false
[log]
MODE = console
LEVEL = error
`;
  for (const name of ['home', 'data', 'log']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'app.ini'), settings);
  if (!isRoot()) return;
  chmodSync(folder, 0o755);
  for (const name of ['', 'home', 'data', 'log', 'app.ini']) {
    chownSync(join(folder, name), NOBODY, NOBODY);
  }
}

/** Ends with this process, and is never root. */
function commandOf({ built, folder }: Place, program: string, args: readonly string[]) {
  const user = isRoot() ? ['--reuid=nobody', '--regid=nogroup', '--clear-groups'] : [];
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'home'), GITEA_WORK_DIR: folder };
  const options = { cwd: join(folder, 'home'), env };
  const words = ['--pdeathsig', 'KILL', ...user, '--', join(built, program), ...args];
  return { file: 'setpriv', words, options };
}

async function run(place: Place, program: string, args: readonly string[]): Promise<string> {
  const { file, words, options } = commandOf(place, program, args);
  const { stdout } = await promisify(execFile)(file, words, options);
  return stdout.trim().split('\n').at(-1) ?? '';
}

function gitea(place: Place, ...args: string[]): Promise<string> {
  return run(place, 'gitea', ['-c', ini(place), ...args]);
}

async function addUser(place: Place, login: string, more: readonly string[]): Promise<string> {
  const who = ['--username', login, '--password', PASSWORD, '--email', `${login}@forge.test`];
  const settings = ['--must-change-password=false', ...more];
  await gitea(place, 'admin', 'user', 'create', ...who, ...settings);
  const token = ['--username', login, '--token-name', 'suite', '--scopes', 'all', '--raw'];
  return gitea(place, 'admin', 'user', 'generate-access-token', ...token);
}

function start(place: Place, program: string, args: readonly string[]): ChildProcess {
  const { file, words, options } = commandOf(place, program, args);
  return spawn(file, words, { ...options, stdio: 'ignore' });
}

async function untilHealthy({ port }: Place, server: ChildProcess | undefined): Promise<void> {
  const givesUpAt = performance.now() + PATIENCE;
  while (performance.now() < givesUpAt && server?.exitCode === null) {
    const health = await fetch(`http://127.0.0.1:${port}/api/healthz`).catch(() => null);
    if (health?.ok) return;
    await wait(100);
  }
  throw new Error(`Gitea did not start on port ${port} (exit code ${server?.exitCode})`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
