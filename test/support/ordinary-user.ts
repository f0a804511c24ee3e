import { spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { tempFolder } from './temp-folder.ts';
import { ROOT } from './tree.ts';

/** Not nobody, to whom files of strangers may be mapped. */
const USER = 64_123;

export interface Rerun {
  readonly code: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
}

const COPIED = ['src', 'test', 'package.json', 'bin', 'skills', 'agents', 'roster'];

/** What a hall needs to run, without the Agent SDK, which is large. */
export const PACKAGES_OF_HALL = [
  ...['@prometheus-io', '@opentelemetry', 'tdigest', 'bintrees', 'better-sqlite3', 'commander'],
  ...['picocolors', 'unbash', 'yaml', 'zod', 'pg', 'pg-connection-string', 'pg-int8', 'pg-pool'],
  ...['pg-protocol', 'pg-types', 'pgpass', 'postgres-array', 'postgres-bytea', 'postgres-date'],
  ...['postgres-interval', 'split2', 'xtend'],
];

/**
 * Runs a test file of this clone again as a user without rights. The clone and Node may lie where that
 * user cannot look, so that it works on a copy.
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
  chownSync(own, USER, USER);

  const child = spawn('setpriv', [...asUser(), node, join(copy, relative(ROOT, file))], {
    cwd: copy,
    env: { PATH: process.env['PATH'], TMPDIR: own, HOME: own, ...brought(copy), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((settle) => child.once('exit', settle));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const count = (word: string) => Number(new RegExp(`^\\S+ ${word} (\\d+)`, 'm').exec(out)?.[1]);
  return {
    code,
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skipped'),
    output: out + err,
  };
}

function asUser(): string[] {
  const user = String(USER);
  return ['--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs', '--'];
}

/** The program that the run was given, where the user can reach it. */
function brought(copy: string): Record<string, string> {
  const given = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
  if (given === undefined) return {};
  const bwrap = join(copy, 'bwrap');
  copyFileSync(given, bwrap);
  return { GUILDHALL_TEST_BUBBLEWRAP: bwrap };
}
