import type { Finding } from '../../ports/workspace.ts';
import type { Entry } from './changed-files.ts';
import { isGitFolder } from './folded-name.ts';
import { shownPath } from './shown-path.ts';

const FILE_MODES = ['100644', '100755'];
export const LINK = '120000';
const SUBMODULE = '160000';
export const GONE = '000000';

const LONGEST_PATH = 1000;
const DEEPEST = 60;

/** Entries that no tree may hold, for any requester. */
export function hostileEntry({ path, mode }: Entry): Finding | undefined {
  // Removing such an entry is fine.
  if (mode === GONE) return undefined;
  const because = faultOfPath(path) ?? faultOfMode(mode);
  if (because === undefined) return undefined;
  return { kind: 'hostile_entry', path: shownPath(path), because, blocks: true };
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

function faultOfMode(mode: string): string | undefined {
  if (FILE_MODES.includes(mode) || mode === LINK) return undefined;
  return mode === SUBMODULE ? 'it is a submodule' : `its mode is ${mode}`;
}
