import type { Cell } from '../../ports/cell.ts';
import { RepositoryFailed } from '../../ports/workspace.ts';
import { runInCell } from './run-in-cell.ts';

/**
 * Makes git in the cell ignore the files that are untracked now, so that neither the agent nor the
 * harvest commits them.
 */
export async function excludeUntracked(cell: Cell): Promise<void> {
  const files = await listUntracked(cell, []);
  // Git compares every path with every pattern, and a folder of packages has ten thousands of files.
  const names = files.isWhole ? files : await listUntracked(cell, ['--directory']);
  const patterns = names.paths.map((path) => `${patternFor(path)}\n`).join('');
  if (patterns === '') return;
  const stdin = Buffer.from(patterns, 'latin1');
  const { code, stderr } = await runInCell(cell, { script: APPEND, args: [], stdin, seconds: 60 });
  if (code !== 0) throw failure(code, stderr);
}

const MAX_LIST_BYTES = 64 * 1024;
const LIST = 'git ls-files -z --others --exclude-standard "$@"';
const APPEND = 'mkdir -p .git/info && cat >> .git/info/exclude';

/** Names are bytes to git, and latin1 keeps every byte. */
async function listUntracked(
  cell: Cell,
  args: readonly string[],
): Promise<{ readonly paths: readonly string[]; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const result = await runInCell(cell, {
    script: LIST,
    args,
    seconds: 600,
    onOutput(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      return length <= MAX_LIST_BYTES;
    },
  });
  const isWhole = result.stoppedFor === null;
  if (isWhole && result.code !== 0) throw failure(result.code, result.stderr);
  const paths = Buffer.concat(chunks).toString('latin1').split('\0');
  // What follows the last separator is empty, or a name that was cut off.
  return { paths: paths.slice(0, -1), isWhole };
}

/** By gitignore(5). A line cannot hold a newline, and `?` matches it. */
function patternFor(path: string): string {
  const literal = path.replace(/[\\*?[\]]/g, '\\$&').replaceAll('\n', '?');
  return `/${literal.replace(/ +$/, (spaces) => '\\ '.repeat(spaces.length))}`;
}

function failure(code: number | null, stderr: string): RepositoryFailed {
  return new RepositoryFailed(
    `listing the untracked files of a cell failed with exit code ${code}: ${stderr.trim().slice(-600)}`,
  );
}
