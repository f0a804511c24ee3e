import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './places.ts';
import type { Progress } from './report/progress.ts';

const LOCKFILE = join(BENCH, 'package-lock.json');
const INSTALLED = join(BENCH, 'node_modules/.installed-from');

/** The first run of the bench installs the peers, so that no one else has to. */
export function installPeers(progress: Progress): void {
  const lockfile = readFileSync(LOCKFILE, 'utf8');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lockfile) return;
  progress.say('installing the peers with npm ci');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: BENCH,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(INSTALLED, lockfile);
}
