import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { tempFolder } from './temp-folder.ts';
import { ROOT } from './tree.ts';

/** Not `nobody`, because files of unknown users may be mapped to it. */
export const ORDINARY_USER = 64_123;

export interface Rerun {
  readonly code: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
}

const COPIED = ['src', 'test', 'package.json', 'bin', 'skills', 'agents', 'agents.yml', 'roster'];

/** What a hall needs to run, without the Agent SDK, which is large. */
export const PACKAGES_OF_HALL = [
  ...['@prometheus-io', '@opentelemetry', 'tdigest', 'bintrees', 'better-sqlite3', 'commander'],
  ...['picocolors', 'unbash', 'yaml', 'zod', 'pg', 'pg-connection-string', 'pg-int8', 'pg-pool'],
  ...['pg-protocol', 'pg-types', 'pgpass', 'postgres-array', 'postgres-bytea', 'postgres-date'],
  ...['postgres-interval', 'split2', 'xtend'],
];

/**
 * Runs a test file of this clone again as an unprivileged user. That user may be unable to read the clone and
 * Node where they are, so it works on a copy.
 */
export async function rerunAsOrdinaryUser(
  file: string,
  variables: Readonly<Record<string, string>> = {},
  packages: readonly string[] = [],
): Promise<Rerun> {
  using folder = tempFolder();
  const copy = folder.path;
  chmodSync(copy, 0o755);
  for (const name of COPIED) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  for (const name of packages) {
    const path = join('node_modules', name);
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  const node = join(copy, 'node');
  copyFileSync(process.execPath, node);
  const own = join(copy, 'tmp');
  mkdirSync(own);
  chownSync(own, ORDINARY_USER, ORDINARY_USER);

  const [setpriv = '', ...as] = asOrdinaryUser();
  const child = spawn(setpriv, [...as, node, join(copy, relative(ROOT, file))], {
    cwd: copy,
    env: { PATH: process.env['PATH'], TMPDIR: own, HOME: own, ...brought(copy), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((settle) => child.once('exit', settle));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const count = (field: string) => Number(new RegExp(`^\\S+ ${field} (\\d+)`, 'm').exec(out)?.[1]);
  return {
    code,
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skipped'),
    output: out + err,
  };
}

/** The prefix that runs a command as that user. */
export function asOrdinaryUser(): string[] {
  const user = String(ORDINARY_USER);
  return ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs', '--'];
}

/** The program of this run, at a place that the user can reach. */
function brought(copy: string): Record<string, string> {
  const program = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
  if (program === undefined) return {};
  const bwrap = join(copy, 'bwrap');
  copyFileSync(program, bwrap);
  return { GUILDHALL_TEST_BUBBLEWRAP: bwrap };
}

export interface ReachableClone extends Disposable {
  readonly path: string;
  readonly node: string;
}

/** This clone where any user can read it: itself, or a copy that shares its files if possible. */
export function reachableClone(): ReachableClone {
  const [setpriv = '', ...as] = asOrdinaryUser();
  const node = realpathSync(process.execPath);
  const files = [join(ROOT, 'bin/guildhall.js'), join(ROOT, 'node_modules'), node];
  const isReadable = files.every(
    (file) => spawnSync(setpriv, [...as, 'test', '-r', file]).status === 0,
  );
  if (isReadable) return { path: ROOT, node, [Symbol.dispose]: () => undefined };
  const folder = tempFolder();
  chmodSync(folder.path, 0o755);
  for (const name of [
    'bin',
    'src',
    'agents',
    'agents.yml',
    'roster',
    'skills',
    'package.json',
    'node_modules',
  ]) {
    spawnSync('cp', ['-a', '--reflink=auto', join(ROOT, name), folder.path]);
  }
  copyFileSync(node, folder.file('node'));
  return {
    path: folder.path,
    node: folder.file('node'),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
