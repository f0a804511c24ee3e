import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CACHE } from './cache.ts';
import { ROOT } from './tree.ts';

/** The product as `npm run build && npm pack` makes it, without touching the build of the clone. */
export interface Packed extends Disposable {
  /** A copy of what is packed, and the archive. */
  readonly folder: string;
  readonly archive: string;
  /** The paths in the archive. */
  readonly files: readonly string[];
}

export function pack(): Packed {
  mkdirSync(CACHE, { recursive: true });
  // Inside the clone, so that the built modules find the libraries.
  const folder = mkdtempSync(join(CACHE, 'package-'));
  const { files }: { files: string[] } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  for (const name of ['package.json', ...files.filter((each) => each !== 'dist')]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  build(join(folder, 'dist'));
  const [made] = JSON.parse(npm(folder, 'pack', '--json')) as [
    { filename: string; files: { path: string }[] },
  ];
  return {
    folder,
    archive: join(folder, basename(made.filename)),
    files: made.files.map(({ path }) => path),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function build(out: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'build.ts'), out]);
  if (status !== 0) throw new Error(`the build failed: ${stdout}${stderr}`);
}

/**
 * Runs npm as in a terminal: npm itself hands its settings and its PATH to the scripts that it runs, such as `npm
 * test`. What this machine has downloaded before is used again.
 */
export function npm(cwd: string, ...args: readonly string[]): string {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(own), npm_config_prefer_offline: 'true' };
  return execFileSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Bytes of all files under a folder, each counted as its blocks on disk. */
export function megabytesIn(folder: string): number {
  return Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
}
