import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bringPostgresPackage, POSTGRES_PACKAGE } from './postgres-package.ts';

/** Where initdb and postgres come from. */
export interface PostgresBinaries {
  readonly from: string;
  /** Makes them usable for any user of the machine and returns their folder. */
  place(folder: string): Promise<string>;
}

const run = promisify(execFile);

/** The npm package first, so that every machine tests the same server. */
export function findPostgres(): PostgresBinaries[] {
  return [packagedPostgres(), installedPostgres()].filter((found) => found !== undefined);
}

function packagedPostgres(): PostgresBinaries | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  return { from: POSTGRES_PACKAGE, place: copyPackage };
}

export function installedPostgres(): PostgresBinaries | undefined {
  const bin = [...debianFolders(), ...pathFolders()].find(
    (folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')),
  );
  return bin === undefined ? undefined : { from: bin, place: async () => bin };
}

/** A copy, because the server's user may be unable to read the clone. 0.3 s for 60 MB. */
async function copyPackage(folder: string): Promise<string> {
  const copy = join(folder, 'postgres');
  await run('cp', ['-R', await bringPostgresPackage(), copy]);
  await run('chmod', ['-R', 'a+rX', copy]);
  return join(copy, 'bin');
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
