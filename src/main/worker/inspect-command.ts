import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { posix } from 'node:path';
import type { Cell } from '../../ports/cell.ts';
import type { CommandCall } from '../../ports/hall-client.ts';
import type { Shell } from '../../ports/shell.ts';

const MAX_WORDS = 400;
const MAX_LINKS = 40;
const MAX_SCRIPTS = 50;
const MAX_BYTES = 1024 ** 2;

/**
 * What the hall cannot see of a command: where its words lead through links of the work tree, and hashes
 * of the files it names. The host follows no links: it reads each one and resolves it as the cell would.
 */
export function inspectCommand(
  { shell, cell }: { readonly shell: Shell; readonly cell: Cell },
  command: string,
): Pick<CommandCall, 'links' | 'scripts'> {
  const links: Record<string, string> = {};
  const scripts: Record<string, string> = {};
  for (const { word, path, written } of placesIn(shell, cell, command)) {
    const real = walk(cell, written);
    if (real !== path) {
      links[word] = real;
      links[path] = real;
    }
    const hash = Object.keys(scripts).length < MAX_SCRIPTS ? hashAt(cell.onHost(real)) : undefined;
    if (hash !== undefined) scripts[real] = hash;
  }
  return { links, scripts };
}

interface Place {
  readonly word: string;
  readonly path: string;
  /** The unnormalized path: a `..` after a link leads up from the link's target. */
  readonly written: string;
}

function placesIn(shell: Shell, cell: Cell, command: string): readonly Place[] {
  const places = shell.read(command).parts.flatMap((part) => {
    const words = [
      part.program,
      ...part.argv.map(({ text }) => text),
      ...part.redirects.map(({ target }) => target.text),
    ].filter((word) => word !== '' && !word.includes('\0'));
    const folders = part.folders ?? ['.'];
    return folders.flatMap((folder) =>
      words.flatMap((word) =>
        pathsIn(word).map((path) => ({
          word: path,
          path: posix.resolve(cell.paths.work, folder, path),
          written: written(cell, folder, path),
        })),
      ),
    );
  });
  return places.slice(0, MAX_WORDS);
}

function written({ paths }: Cell, folder: string, path: string): string {
  if (path.startsWith('/')) return path;
  return folder.startsWith('/') ? `${folder}/${path}` : `${paths.work}/${folder}/${path}`;
}

/** A word may be a path or an option with one: `--file=a/b`. */
function pathsIn(word: string): readonly string[] {
  const value = /^-[^=]*=(.+)$/.exec(word)?.[1];
  return value === undefined ? [word] : [word, value];
}

/** Resolves a path inside, as far as the cell's own folders decide it. */
function walk(cell: Cell, path: string): string {
  let rest = path.split('/');
  let at = '/';
  for (let links = 0; rest.length > 0; ) {
    const [name = '', ...after] = rest;
    const next = posix.join(at, name);
    const isStep = name === '' || name === '.' || name === '..';
    const target = isStep || links >= MAX_LINKS ? undefined : linkAt(cell.onHost(next));
    if (target === undefined) {
      at = next;
      rest = after;
      continue;
    }
    links += 1;
    rest = [...target.split('/'), ...after];
    if (target.startsWith('/')) at = '/';
  }
  return posix.join(at, '.').replace(/(.)\/$/, '$1');
}

function linkAt(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  try {
    return lstatSync(host).isSymbolicLink() ? readlinkSync(host) : undefined;
  } catch {
    return undefined;
  }
}

/** Hashes regular files only; nothing else is a script. */
function hashAt(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  let file: number | undefined;
  try {
    file = openSync(host, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = fstatSync(file);
    if (!fstatSync(file).isFile() || size > MAX_BYTES) return undefined;
    const bytes = Buffer.alloc(size);
    readSync(file, bytes, 0, size, 0);
    return createHash('sha256').update(bytes).digest('hex');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
