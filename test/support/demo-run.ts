import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from './cell-fixture.ts';
import { linkPrograms } from './path-without.ts';
import { isKeptByOthers, type TempFolder, tempFolder } from './temp-folder.ts';

interface Told {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the demo in its own environment. */
export async function runDemo(
  { path: folder }: TempFolder,
  [program = '', ...args]: readonly string[],
  own = folder,
  path = `${dirname(process.env['GUILDHALL_TEST_BUBBLEWRAP'] ?? '/usr/bin/bwrap')}${delimiter}${process.env['PATH']}`,
): Promise<Told> {
  const cache = process.env['NODE_COMPILE_CACHE'];
  const compiled = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };
  const host = process.env['DOCKER_HOST'];
  const docker = host === undefined ? {} : { DOCKER_HOST: host };
  const env = { PATH: path, HOME: own, TMPDIR: own, NO_COLOR: '1', ...compiled, ...docker };
  const child = spawn(program, args, { env, cwd: own, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((settle) => child.once('exit', settle));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}

/** A folder with links to all programs of the system but the given ones. */
export function programsWithout(...names: readonly string[]): TempFolder {
  const folder = tempFolder();
  for (const from of ['/usr/bin', '/usr/sbin']) linkPrograms(from, folder, names);
  return folder;
}

/** In a network with nothing but loopback, where this account may create one. */
export function offline(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...command];
}

/** The launcher of a clone. */
export function bin(clone: string): string {
  return join(clone, 'bin/guildhall.js');
}

/** Checks that a demo ran to the end, with agents under the given isolation. */
export function whole({ code, out, err }: Told, isolation: string): void {
  assert.equal(code, 0, `${out}${err}`);
  const lines: { who?: string; text?: string; merged?: number; isolation?: string }[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const story = lines.map(({ text: line }) => line ?? '').join('\n');
  for (const part of [
    /choose who should do it/,
    /tests failed/,
    /fix the checks/,
    /requests changes/,
    /address the review/,
    /approves/,
    /no conflict to solve/,
    /merged "Show negative prices/,
  ]) {
    assert.match(story, part);
  }
  const who = new Set(lines.map((line) => line.who));
  for (const agent of ['boss-default', 'dev-default', 'reviewer-default'])
    assert.ok(who.has(agent));
  assert.equal(lines.at(-1)?.merged, 2);
  assert.equal(lines.at(-1)?.isolation, isolation);
}

export async function nothingIsLeft({ path }: TempFolder): Promise<void> {
  assert.deepEqual(namesIn(path), []);
  const alive = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(commandOf)
      .filter((command) => command.includes(path));
  // Processes that were killed last may still be exiting.
  await until(() => alive().length === 0);
}

/** Node keeps its compile cache among the temporary files. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !isKeptByOthers(name));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
