import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { askRuntime } from '../support/container-kind.ts';
import { asOrdinaryUser, ORDINARY_USER, reachableClone } from '../support/ordinary-user.ts';
import { isKeptByOthers, type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { ROOT } from '../support/tree.ts';

const bwrap = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
const containers = process.env['GUILDHALL_TEST_CONTAINERS'];
const sdk = process.env['GUILDHALL_TEST_AGENT_SDK'];
const isRoot = process.getuid?.() === 0;
const skip = sdk === undefined ? 'the Agent SDK is not installed' : false;

describe('the demo', { skip }, () => {
  test('X-001a X-001b GH-052 GH-054: tells the whole story with nothing but loopback', async (t) => {
    if (bwrap === undefined) return t.skip('bubblewrap is not here');
    using folder = tempFolder();
    const told = await runDemo(folder, offline([process.execPath, bin(ROOT), 'demo', '--json']));
    whole(told, 'sandbox');
    await nothingIsLeft(folder);
  });

  test('X-001a X-001b: tells it to an ordinary user, too', {
    skip: !isRoot && 'only root can become another',
  }, async (t) => {
    if (bwrap === undefined) return t.skip('bubblewrap is not here');
    using folder = tempFolder();
    using clone = reachableClone();
    chmodSync(folder.path, 0o755);
    const own = folder.file('tmp');
    mkdirSync(own);
    chownSync(own, ORDINARY_USER, ORDINARY_USER);
    const command = [...asOrdinaryUser(), clone.node, bin(clone.path), 'demo', '--json'];
    whole(await runDemo(folder, offline(command), own), 'sandbox');
    assert.deepEqual(namesIn(own), []);
  });

  test('goes on without walls where none can be built, and says so', async () => {
    using folder = tempFolder();
    using programs = programsWithout('bwrap', 'podman', 'docker');
    const command = [process.execPath, bin(ROOT), 'demo'];
    const told = await runDemo(folder, command, folder.path, programs.path);
    assert.equal(told.code, 0, told.err);
    assert.match(
      told.out,
      /No walls stood around the agents: no cell .* sandbox: bubblewrap \(bwrap\) is not on .* container: neither podman/,
    );
    assert.match(told.out, /2 pull requests merged/);
    await nothingIsLeft(folder);
  });

  test('X-001a X-001b: has walls of containers where bubblewrap is not here, and leaves none of them', async (t) => {
    if (containers === undefined) return t.skip('no engine of containers is here');
    using folder = tempFolder();
    using programs = programsWithout('bwrap');
    const path = `${programs.path}${delimiter}${dirname(containers)}`;
    const command = [process.execPath, bin(ROOT), 'demo', '--json'];
    whole(await runDemo(folder, command, folder.path, path), 'container');
    await nothingIsLeft(folder);
    const left = [
      askRuntime('ps', '--all', '--format', '{{.Names}}'),
      askRuntime('volume', 'ls', '--quiet'),
    ];
    assert.doesNotMatch(left.join('\n'), /^guildhall-demo-/m);
  });

  test('leaves a folder to look around in where that is asked for', async () => {
    using folder = tempFolder();
    const command = [process.execPath, bin(ROOT), 'demo', '--json', '--keep'];
    const { out, code } = await runDemo(folder, command);
    assert.equal(code, 0);
    const { folder: kept } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
    assert.match(readFileSync(join(kept, 'guildhall.yaml'), 'utf8'), /tea-shop/);
    assert.ok(existsSync(join(kept, 'tea-shop.git/HEAD')));
  });
});

interface Told {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function runDemo(
  { path: folder }: TempFolder,
  [program = '', ...args]: readonly string[],
  own = folder,
  path = `${dirname(bwrap ?? '/usr/bin/bwrap')}${delimiter}${process.env['PATH']}`,
): Promise<Told> {
  const env = { PATH: path, HOME: own, TMPDIR: own, NO_COLOR: '1' };
  const child = spawn(program, args, { env, cwd: own, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((settle) => child.once('exit', settle));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}

/** What is in the usual folders of programs, but for some. */
function programsWithout(...names: readonly string[]): TempFolder {
  const folder = tempFolder();
  for (const name of readdirSync('/usr/bin')) {
    if (!names.includes(name)) symlinkSync(join('/usr/bin', name), folder.file(name));
  }
  return folder;
}

/** In a network of its own that has loopback and nothing else, where this account may make one. */
function offline(command: readonly string[]): readonly string[] {
  if (!isRoot) return command;
  return ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...command];
}

function bin(clone: string): string {
  return join(clone, 'bin/guildhall.js');
}

function whole({ code, out, err }: Told, isolation: string): void {
  assert.equal(code, 0, `${out}${err}`);
  const lines: { who?: string; text?: string; merged?: number; isolation?: string }[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const story = lines.map(({ text: said }) => said ?? '').join('\n');
  for (const part of [
    /find who should do it/,
    /tests failed/,
    /mend the checks/,
    /asks for changes/,
    /address the review/,
    /approves/,
    /no conflict to solve/,
    /merged "Refunds/,
  ]) {
    assert.match(story, part);
  }
  const who = new Set(lines.map((line) => line.who));
  for (const agent of ['boss-default', 'dev-default', 'reviewer-default'])
    assert.ok(who.has(agent));
  assert.equal(lines.at(-1)?.merged, 2);
  assert.equal(lines.at(-1)?.isolation, isolation);
}

async function nothingIsLeft({ path }: TempFolder): Promise<void> {
  assert.deepEqual(namesIn(path), []);
  const alive = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(commandOf)
      .filter((command) => command.includes(path));
  // What was killed last may still be on its way out.
  const deadline = performance.now() + 20_000;
  while (alive().length > 0 && performance.now() < deadline) await pause(50);
  assert.deepEqual(alive(), []);
}

/** Node keeps what it compiled among the temporary files, for whatever it runs next. */
function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !isKeptByOthers(name));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
