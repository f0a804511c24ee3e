import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { CellRefused } from '../../ports/cell.ts';

/** Host programs that build a cell or run in it. */
export interface Tools {
  readonly bwrap: string;
  readonly node: string;
  /** Found under /usr or /bin, which the cell sees as the host does. */
  readonly env: string;
  readonly setpriv: string;
  readonly prlimit: string | undefined;
}

export interface ToolSettings {
  readonly path: string;
  readonly bubblewrap?: string | undefined;
  readonly node?: string | undefined;
}

const VISIBLE_INSIDE = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

export function findTools({ path, bubblewrap, node }: ToolSettings): Tools {
  const bwrap =
    bubblewrap === undefined
      ? findProgram('bwrap', path.split(delimiter).filter(isAbsolute))
      : findProgram(bubblewrap, ['/']);
  if (bwrap === undefined) {
    throw new CellRefused(
      `bubblewrap (bwrap) is not ${bubblewrap === undefined ? 'on the PATH' : `at ${bubblewrap}`}; ` +
        'install it (apt install bubblewrap, dnf install bubblewrap), ' +
        'or run the worker on a machine that has it',
    );
  }
  return {
    bwrap,
    node: realpathSync(node ?? process.execPath),
    env: requireProgram('env', 'coreutils'),
    setpriv: requireProgram('setpriv', 'util-linux'),
    prlimit: findProgram('prlimit', VISIBLE_INSIDE),
  };
}

function requireProgram(name: string, from: string): string {
  const found = findProgram(name, VISIBLE_INSIDE);
  if (found !== undefined) return found;
  throw new CellRefused(`${name} is not in ${VISIBLE_INSIDE.join(', ')}; install ${from}`);
}

/**
 * True for root in the initial user namespace. Such a process owns every file of /proc/sys, whatever
 * capabilities it has dropped.
 */
export function isKernelRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  return /^\s*0\s+0\s/.test(readFileSync('/proc/self/uid_map', 'utf8'));
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
