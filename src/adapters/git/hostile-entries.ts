import { posix } from 'node:path';
import type { Finding } from '../../ports/workspace.ts';
import type { Entry } from './changed-files.ts';

const FILE_MODES = ['100644', '100755'];
const LINK = '120000';
const SUBMODULE = '160000';
export const GONE = '000000';

const LONGEST_PATH = 1000;
const DEEPEST = 60;

/** Entries that no tree may hold, for any requester. `targets` has the target of each link. */
export function hostileEntry(
  { path, mode, object }: Entry,
  targets: ReadonlyMap<string, string>,
): Finding | undefined {
  // Removing such an entry is fine.
  if (mode === GONE) return undefined;
  const because = faultOfPath(path) ?? faultOfMode(path, mode, targets.get(object));
  if (because === undefined) return undefined;
  return { kind: 'hostile_entry', path: shown(path), because, blocks: true };
}

export function isLink({ mode }: Entry): boolean {
  return mode === LINK;
}

function faultOfPath(path: string): string | undefined {
  const parts = path.split('/');
  if (/[\p{Cc}\p{Cf}\u2028\u2029\uFFFD]/u.test(path))
    return 'its name contains invisible characters';
  if (path.length > LONGEST_PATH || parts.length > DEEPEST) return 'its path is too long';
  if (path.includes('\\'))
    return 'its name contains a backslash, which separates folders on Windows';
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'its path has an empty, . or .. part';
  if (parts.some((part) => isGitFolder(part))) return 'it would be part of a git directory';
  return undefined;
}

/** Matches every spelling that some file system treats as `.git`. */
function isGitFolder(part: string): boolean {
  const plain = part
    .normalize('NFKC')
    .toLowerCase()
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '');
  return plain === '.git' || /^git~\d+$/.test(plain);
}

function faultOfMode(path: string, mode: string, target: string | undefined): string | undefined {
  if (FILE_MODES.includes(mode)) return undefined;
  if (mode === SUBMODULE) return 'it is a submodule';
  if (mode !== LINK) return `its mode is ${mode}`;
  return target !== undefined && leaves(path, target)
    ? 'it is a symbolic link that leaves the repository'
    : undefined;
}

function leaves(path: string, target: string): boolean {
  if (target.startsWith('/') || /[\0\\]/.test(target)) return true;
  const reached = posix.join(posix.dirname(path), target);
  return reached === '..' || reached.startsWith('../') || /(^|\/)\.git(\/|$)/i.test(reached);
}

function shown(path: string): string {
  return path.replace(/[\p{C}\u2028\u2029]/gu, '?').slice(0, 300);
}
