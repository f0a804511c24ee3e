import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Cell, CellCommand, CellEnd, CellPlan, CellProcess, Cells } from '../../ports/cell.ts';
import { streamsOf } from '../cell/streams.ts';
import { killMarked, MARK } from './kill-by-mark.ts';
import { openProxies } from './proxies.ts';

/**
 * A cell without isolation: its own folders, proxies and environment, but nothing confines a program.
 * Only for projects whose operator chose it, and for the demo, whose model is scripted.
 */
export function createUnisolatedCells({ path }: { readonly path: string }): Cells {
  return {
    kind: 'none',
    gaps: [
      'agents can read and write whatever this account can, and reach the network',
      'a process that an agent starts in its own session can outlive the run',
      'the cpus, memory and pids limits are not enforced',
    ],
    open: (plan) => open(plan, path),
    verifyIsolation: async () => [{ name: 'isolation', blocked: false, found: 'none' }],
  };
}

async function open(plan: CellPlan, path: string): Promise<Cell> {
  const folder = resolve(plan.folder);
  const paths = { work: join(folder, 'work'), home: join(folder, 'home') };
  for (const each of Object.values(paths)) mkdirSync(each, { recursive: true, mode: 0o700 });
  const proxies = await openProxies(plan.sockets);
  const alive = new Map<CellProcess, Promise<unknown>>();

  return {
    paths,
    proxies: { gateway: proxies.gateway, egress: proxies.egress },
    start(command) {
      const mark = randomUUID();
      const env = { ...command.env, PATH: path, HOME: paths.home, [MARK]: mark };
      const child = spawnInGroup({ ...command, env, cwd: command.cwd ?? paths.work });
      const program = processOf(child, () => killAll(child, mark));
      const forget = () => alive.delete(program);
      alive.set(program, program.ended.then(forget, forget));
      return program;
    },
    onHost: (inside) => (isWithin(folder, inside) ? resolve(inside) : undefined),
    async [Symbol.asyncDispose]() {
      const ending = [...alive.values()];
      for (const program of alive.keys()) program.kill();
      await Promise.all(ending);
      await proxies.close();
    },
  };
}

/** Its own process group, so that its children can be killed with it. */
function spawnInGroup({ argv: [program, ...rest], env, cwd }: Required<CellCommand>): ChildProcess {
  return spawn(program, rest, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
}

function processOf(child: ChildProcess, kill: () => void): CellProcess {
  const ended = endOf(child, kill);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  // The kernel reuses the pid of an ended process.
  return { ...streamsOf(child), ended: ended, kill: () => (isOver ? undefined : kill()) };
}

/** Leftover children may hold its streams open, so kill them first. */
function endOf(child: ChildProcess, kill: () => void): Promise<CellEnd> {
  return new Promise((settle) => {
    child.once('error', () => settle({ code: 127, signal: null, limit: null }));
    child.once('exit', (code, signal) => {
      kill();
      settle({ code, signal, limit: null });
    });
  });
}

/** Kills the group, and processes that left it for their own session, as the shells of agents do. */
function killAll(child: ChildProcess, mark: string): void {
  killGroup(child);
  killMarked(mark);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, resolve(path));
  return relativePath === '' || !(relativePath.startsWith('..') || relativePath.startsWith('/'));
}
