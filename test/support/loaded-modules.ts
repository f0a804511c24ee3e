import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { BIN } from './hall-process.ts';
import { ROOT } from './tree.ts';

/** What a process loaded: our modules by path, packages by name, and the inside of Node. */
export interface LoadedModules {
  readonly code: number | null;
  readonly own: readonly string[];
  readonly packages: readonly string[];
  /** All files of packages. */
  readonly packageFiles: readonly string[];
  readonly inNode: readonly string[];
}

const RECORDER = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on('exit', () => writeSync(3, JSON.stringify({ urls, inNode: process.moduleLoadList })));`;

/** Runs a command of the product and reports the modules that it loaded. */
export async function modulesLoadedBy(
  args: readonly string[],
  cwd: string,
): Promise<LoadedModules> {
  const recorder = `data:text/javascript,${encodeURIComponent(RECORDER)}`;
  const child = spawn(process.execPath, ['--import', recorder, BIN, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((settle) => child.once('exit', settle));
  const recorded = await text(child.stdio[3] as NodeJS.ReadableStream);
  const { urls, inNode }: { urls: string[]; inNode: string[] } = JSON.parse(recorded);
  const paths = urls
    .filter((url) => url.startsWith('file:'))
    .map((url) => url.split(ROOT)[1] ?? '');
  const packageFiles = paths
    .filter((path) => path.startsWith('/node_modules/'))
    .map((path) => path.slice('/node_modules/'.length));
  return {
    code: await ended,
    own: paths.filter((path) => path.startsWith('/src/')).map((path) => path.slice(1)),
    packages: [...new Set(packageFiles.map((path) => path.split('/')[0] ?? ''))].toSorted(),
    packageFiles,
    inNode,
  };
}
