import type { ChildProcess } from 'node:child_process';
import { lchownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellCommand, CellEnd, CellProcess } from '../../ports/cell.ts';
import { INSIDE } from '../cell/layout.ts';
import { streamsOf } from '../cell/streams.ts';
import { spawnEngine } from './engine.ts';
import type { RunningContainer } from './running-container.ts';

/** Starts a program in a running container, in a group that no other program has. */
export function launch(
  container: RunningContainer,
  command: Required<CellCommand>,
  group: number,
): CellProcess {
  const { engine, id, users } = container;
  const name = `program-${group}`;
  const script = join(container.hall, name);
  writeScript(script, command, users.onHost);
  const as = `${users.inside.uid}:${group}`;
  const inside = ['/bin/sh', `${INSIDE.sockets}/${name}`];
  const child = spawnEngine(engine, ['exec', '--interactive', '--user', as, id, ...inside]);
  const streams = streamsOf(child);

  let isKilled = false;
  let isGone = false;
  async function end(): Promise<CellEnd> {
    const { code, signal } = await exitOf(child);
    isGone = true;
    rmSync(script, { force: true });
    if (container.exceeded() !== null) await container.kill();
    await container.killProgram(group);
    const limit = container.exceeded();
    if (isKilled || container.hasEnded()) return { code: null, signal: 'SIGKILL', limit };
    return { code, signal, limit };
  }

  /** The runtime may still be about to start it: without its script it starts nothing. */
  async function killUntilGone(): Promise<void> {
    rmSync(script, { force: true });
    while (!isGone) {
      await container.killProgram(group);
      await sleep(RETRY_EVERY);
    }
  }

  function kill(): void {
    if (isKilled || isGone) return;
    isKilled = true;
    void killUntilGone();
  }
  /** Nothing is left to wait for. */
  async function endClient(): Promise<void> {
    await container.ended;
    await sleep(EXIT_GRACE, undefined, { ref: false });
    if (!isGone) child.kill('SIGKILL');
  }
  void endClient();
  return { ...streams, ended: end(), kill };
}

const RETRY_EVERY = 20;
const EXIT_GRACE = 5_000;

/** By file, not by argument: every user of a host can read command lines, and their length is limited. */
function writeScript(
  path: string,
  { argv, env, cwd }: Required<CellCommand>,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): void {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = ['env', '-i', ...settings, ...argv].map(quoted).join(' ');
  const text = `cd ${quoted(cwd)} || exit 126\nexec ${command}\n`;
  writeFileSync(path, text, { mode: 0o600 });
  if (uid !== process.getuid?.()) lchownSync(path, uid, gid);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((settle) => {
    child.once('error', () => settle({ code: 126, signal: null }));
    child.once('exit', (code, signal) => settle({ code, signal }));
  });
}
