import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { SuiteResult } from './suites.ts';
import { ROOT } from './tree.ts';

const MODULES = join(ROOT, 'node_modules');

/** What a machine can say about the sources without running them. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'format and lint': [
    join(MODULES, '@biomejs/biome/bin/biome'),
    'check',
    '--error-on-warnings',
    '--colors=off',
  ],
  types: [join(import.meta.dirname, 'check-types.ts')],
  'types of domain, where Node does not exist': [
    join(MODULES, 'typescript/bin/tsc'),
    '--noEmit',
    '--pretty',
    'false',
    '--project',
    'src/domain',
  ],
};

/** Runs the checks, all at once: they are three short processes. */
export async function runChecks(report: (result: SuiteResult) => void): Promise<SuiteResult[]> {
  return Promise.all(
    Object.entries(CHECKS).map(async ([name, command]) => {
      const result = await runCheck(name, command);
      report(result);
      return result;
    }),
  );
}

async function runCheck(name: string, command: readonly string[]): Promise<SuiteResult> {
  const started = performance.now();
  const { code, output } = await outputOf(command);
  const failures = code === 0 ? [] : [{ title: name, because: output.trim() }];
  return {
    name,
    seconds: (performance.now() - started) / 1000,
    passed: code === 0 ? 1 : 0,
    failures,
    skipped: [],
    output: '',
  };
}

function outputOf(command: readonly string[]): Promise<{ code: number | null; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    code: number | null;
    output: string;
  }>();
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, output }));
  return promise;
}
