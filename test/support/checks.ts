import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { allProcesses, GroupTimes } from './cpu-time.ts';
import type { SuiteResult } from './suites.ts';
import { ROOT } from './tree.ts';

const MODULES = join(ROOT, 'node_modules');

/** Static checks of the sources. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'format and lint': [
    join(MODULES, '@biomejs/biome/bin/biome'),
    'check',
    '--error-on-warnings',
    '--colors=off',
  ],
  types: [join(import.meta.dirname, 'check-types.ts')],
  'types of domain, without Node': [
    join(MODULES, 'typescript/bin/tsc'),
    '--noEmit',
    '--pretty',
    'false',
    '--project',
    'src/domain',
  ],
};

export const CHECK_NAMES: readonly string[] = Object.keys(CHECKS);

const LOOK_EVERY = 500;

export async function runCheck(name: string): Promise<SuiteResult> {
  const started = performance.now();
  const { code, output, cpuSeconds } = await outputOf(CHECKS[name] ?? []);
  const failures = code === 0 ? [] : [{ title: name, because: output.trim() }];
  return {
    name,
    seconds: (performance.now() - started) / 1000,
    cpuSeconds,
    passed: code === 0 ? 1 : 0,
    failures,
    skipped: [],
    output: '',
  };
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly cpuSeconds: number;
}

function outputOf(command: readonly string[]): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const times = new GroupTimes(child.pid ?? 0);
  const look = setInterval(() => times.seen(allProcesses()), LOOK_EVERY);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.once('error', reject);
  child.once('close', (code) => {
    clearInterval(look);
    resolve({ code, output, cpuSeconds: times.seen([]) });
  });
  return promise;
}
