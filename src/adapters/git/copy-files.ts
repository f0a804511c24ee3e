import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '../../ports/cell.ts';
import { RepositoryFailed } from '../../ports/workspace.ts';
import { runInCell } from './run-in-cell.ts';

interface Copying {
  /** A folder of the operator on the host. */
  readonly from: string;
  /** Files and folders to copy, relative to `from`; missing ones are skipped. */
  readonly files: readonly string[];
}

const MAX_FILES = 200;
const MAX_BYTES = 20 * 1024 * 1024;
const IS_LINK = 51;
const NOT_IGNORED = 52;

/**
 * Copies files that the repository ignores, such as a developer's settings, into a work tree before the
 * agent starts. The cell writes them, so they belong to its user. No link is followed on either side,
 * and a file that a commit would include is refused.
 */
export async function copyIntoWorkTree(cell: Cell, { from, files }: Copying): Promise<string[]> {
  const paths = files.flatMap((file) => filesAt(from, file));
  if (paths.length > MAX_FILES) {
    throw new RepositoryFailed(
      `${paths.length} files would be copied from ${from}; the limit is ${MAX_FILES}`,
    );
  }
  for (const path of paths) await copy(cell, from, path);
  return paths;
}

function filesAt(from: string, path: string): string[] {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part === '.git')) {
    throw new RepositoryFailed(
      `${JSON.stringify(path)} is not copied: it is not a path inside the folder`,
    );
  }
  const prefixes = parts.map((_, n) => join(from, ...parts.slice(0, n + 1)));
  const found = prefixes.map((prefix) => lstatSync(prefix, { throwIfNoEntry: false }));
  if (found.some((stat) => stat?.isSymbolicLink())) {
    throw new RepositoryFailed(
      `${join(from, path)} is not copied: its path contains a symbolic link`,
    );
  }
  const last = found.at(-1);
  if (last?.isFile()) return [path];
  if (!last?.isDirectory()) return [];
  return readdirSync(join(from, path), { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .flatMap((entry) => filesAt(from, `${path}/${entry.name}`));
}

async function copy(cell: Cell, from: string, path: string): Promise<void> {
  const { bytes, mode } = readPlain(join(from, path));
  const result = await runInCell(cell, {
    script: SCRIPT,
    args: [path, mode],
    stdin: bytes,
    seconds: 60,
  });
  if (result.code === 0) return;
  throw new RepositoryFailed(
    `${path} could not be copied into the work tree: ${reasonOf(result.code, result.stderr)}`,
  );
}

function readPlain(file: string): { readonly bytes: Buffer; readonly mode: string } {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MAX_BYTES) {
      throw new RepositoryFailed(
        `${file} is not copied: it is larger than ${MAX_BYTES / 1024 ** 2} MiB or not a regular file`,
      );
    }
    return { bytes: readFileSync(fd), mode: (stat.mode & 0o100) === 0 ? '600' : '700' };
  } finally {
    closeSync(fd);
  }
}

const SCRIPT = `
set -eu
git check-ignore --quiet -- "$1" || exit ${NOT_IGNORED}
rest=$1
at=.
while [ "\${rest#*/}" != "$rest" ]; do
  at=$at/\${rest%%/*}
  rest=\${rest#*/}
  [ ! -L "$at" ] || exit ${IS_LINK}
  [ -d "$at" ] || mkdir "$at"
done
[ ! -L "$at/$rest" ] || exit ${IS_LINK}
umask 077
cat > "$at/$rest"
chmod "$2" "$at/$rest"
`;

function reasonOf(code: number | null, stderr: string): string {
  if (code === IS_LINK) return 'its path contains a symbolic link of the repository';
  if (code === NOT_IGNORED)
    return 'the repository does not ignore it, so a commit would include it';
  return `exit code ${code}: ${stderr.trim().slice(-300)}`;
}
