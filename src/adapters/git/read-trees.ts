import { readObjects } from './read-objects.ts';
import type { Git } from './run-git.ts';

export interface TreeEntry {
  readonly name: string;
  /** Without leading zeros, as a tree has it. */
  readonly mode: string;
  readonly object: string;
}

/** Reads each tree once and keeps what `parse` makes of its entries. */
export async function readTrees<Parsed>(
  needs: { readonly git: Git; readonly dir: string },
  names: readonly string[],
  parse: (entries: Iterable<TreeEntry>) => Parsed,
): Promise<Map<string, Parsed>> {
  const trees = new Map<string, Parsed>();
  await readObjects(needs, { names: [...new Set(names)], doing: 'reading trees' }, (object) => {
    if (object.kind === 'tree') trees.set(object.name, parse(entriesIn(object.raw)));
  });
  return trees;
}

export function isFolder({ mode }: TreeEntry): boolean {
  return mode.startsWith('4');
}

/** `mode name`, a zero byte, and a 20-byte object name. */
function* entriesIn(raw: Buffer): Generator<TreeEntry> {
  for (let at = 0; at < raw.length; ) {
    const space = raw.indexOf(SPACE, at);
    const end = raw.indexOf(0, at);
    if (end === -1 || space === -1) return;
    yield {
      mode: raw.toString('latin1', at, space),
      name: raw.toString('utf8', space + 1, end),
      object: raw.toString('hex', end + 1, end + 21),
    };
    at = end + 21;
  }
}

const SPACE = ' '.charCodeAt(0);
