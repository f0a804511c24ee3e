import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE } from '../places.ts';

/** A program to run and the folder with the libraries it needs, when they are not the system's. */
export interface RedisProgram {
  readonly path: string;
  readonly libraries: string | undefined;
  readonly version: string;
}

const run = promisify(execFile);

/** What the program needs beyond the libraries that every Debian has. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'];
const UNPACKED = join(CACHE, 'redis');

/**
 * The Redis that is installed, or one fetched from the system's own package source and unpacked
 * beside the bench without being installed. No package of the npm registry ships the program.
 */
export async function findRedis(): Promise<RedisProgram | { readonly missing: string }> {
  const installed = await probe('redis-server', undefined);
  if (installed) return installed;
  const libraries = join(UNPACKED, 'usr/lib/x86_64-linux-gnu');
  const unpacked = join(UNPACKED, 'usr/bin/redis-server');
  if (!existsSync(unpacked)) {
    const failed = await fetchRedis();
    if (failed) return { missing: failed };
  }
  const found = await probe(unpacked, libraries);
  return found ?? { missing: `${unpacked} does not start on this machine` };
}

async function probe(path: string, libraries: string | undefined) {
  try {
    const { stdout } = await run(path, ['--version'], { env: environment(libraries) });
    return { path, libraries, version: /v=(\S+)/.exec(stdout)?.[1] ?? stdout.trim() };
  } catch {
    return undefined;
  }
}

export function environment(libraries: string | undefined): NodeJS.ProcessEnv {
  return libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries };
}

async function fetchRedis(): Promise<string | undefined> {
  const folder = `${UNPACKED}.part`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await run('apt-get', ['download', ...PACKAGES], { cwd: folder });
    const archives = (await readdir(folder)).filter((name) => name.endsWith('.deb'));
    for (const archive of archives) await run('dpkg', ['-x', archive, '.'], { cwd: folder });
    await rename(folder, UNPACKED);
    return undefined;
  } catch (fault) {
    const why = fault instanceof Error ? fault.message.split('\n', 1)[0] : String(fault);
    return (
      `no redis-server on the PATH, and it could not be fetched with apt-get (${why}): ` +
      'install redis-server to measure the BullMQ cells'
    );
  }
}
