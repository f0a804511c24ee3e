import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recruit, Recruits } from '../../ports/recruits.ts';
import { readIfExists, startTimeOf } from '../cell/processes.ts';
import { writeDurably } from '../files/write-durably.ts';

interface Needs {
  /** Folder for records and logs of started workers. */
  readonly folder: string;
  /** The command that starts a worker; its arguments are appended. */
  readonly command: readonly [program: string, ...rest: string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Called when a worker is gone and may have left cells. */
  readonly sweepCells: () => void;
}

interface RecordFile {
  readonly instance: string;
  readonly pid: number;
  /** The kernel's start time of that process: another process may have its pid by now. */
  readonly began: string | null;
  /** Its folder for temporary files: a killed worker cannot remove them. */
  readonly temporary: string;
}

/**
 * Workers as processes. Each has a record on disk, so that a restarted hall finds them; a worker writes
 * the id it registered under beside it.
 */
export function createProcessRecruits(needs: Needs): Recruits {
  const pathOf = (name: string, kind: string) => recordPath(needs, name, kind);

  return {
    start: (instance, projects) => launch(needs, instance, projects),

    async list() {
      return names(needs.folder).map((name): Recruit => {
        const { instance, pid, began } = readRecord(pathOf(name, 'json'));
        const isAlive = isSameProcess(pid, began);
        return {
          name,
          instance,
          worker: readIfExists(pathOf(name, 'worker'))?.trim() || null,
          isAlive,
          lastOutput: isAlive ? null : lastLine(readIfExists(pathOf(name, 'log')) ?? ''),
        };
      });
    },

    dismiss({ name }) {
      const { pid, began } = readRecord(pathOf(name, 'json'));
      if (isSameProcess(pid, began)) terminate(pid);
    },

    async forget({ name, worker }) {
      const { temporary } = readRecord(pathOf(name, 'json'));
      rmSync(temporary, { recursive: true, force: true });
      if (worker !== null) needs.sweepCells();
      rmSync(pathOf(name, 'json'), { force: true });
      rmSync(pathOf(name, 'worker'), { force: true });
      // The log is the only clue to why a worker never registered.
      if (worker !== null) rmSync(pathOf(name, 'log'), { force: true });
      else forgetOldLogs(needs.folder);
    },
  };
}

function recordPath({ folder }: Needs, name: string, kind: string): string {
  return join(folder, `${name}.${kind}`);
}

async function launch(needs: Needs, instance: string, projects: readonly string[]): Promise<void> {
  mkdirSync(needs.folder, { recursive: true, mode: 0o700 });
  const name = `${instance}-${randomUUID().slice(0, 8)}`;
  const log = openSync(recordPath(needs, name, 'log'), 'a', 0o600);
  const [program, ...rest] = needs.command;
  const only = projects.flatMap((project) => ['--project', project]);
  const args = [
    ...rest,
    ...only,
    '--instance',
    instance,
    '--record',
    recordPath(needs, name, 'worker'),
  ];
  const temporary = mkdtempSync(join(tmpdir(), 'gh-'));
  const child = spawn(program, args, {
    env: { ...needs.env, TMPDIR: temporary },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => undefined);
  child.unref();
  const { pid = 0 } = child;
  const record: RecordFile = { instance, pid, began: startTimeOf(pid), temporary };
  try {
    await writeDurably(recordPath(needs, name, 'json'), JSON.stringify(record));
  } catch (error) {
    // An unrecorded worker is not counted, so every check would start one more.
    child.kill('SIGKILL');
    rmSync(temporary, { recursive: true, force: true });
    rmSync(recordPath(needs, name, 'log'), { force: true });
    throw error;
  }
}

/** If no worker can start, a log is added every few minutes until the operator notices. */
function forgetOldLogs(folder: string): void {
  const known = new Set(names(folder));
  const logs = readdirSync(folder)
    .flatMap((file) => /^(.+)\.log$/.exec(file)?.[1] ?? [])
    .filter((name) => !known.has(name))
    .map((name) => join(folder, `${name}.log`))
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
  for (const { path } of logs.slice(MAX_LOGS)) rmSync(path, { force: true });
}

const MAX_LOGS = 20;

function lastLine(log: string): string | null {
  return log.trim().split('\n').at(-1)?.slice(-MAX_OUTPUT) || null;
}

const MAX_OUTPUT = 1_000;

function names(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readRecord(path: string): RecordFile {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function isSameProcess(pid: number, began: string | null): boolean {
  return pid > 0 && began !== null && startTimeOf(pid) === began;
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
