import { isFolder, readTrees, type TreeEntry } from './read-trees.ts';
import type { Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

/** What a tree holds when fully expanded. */
interface Expansion {
  readonly entries: number;
  readonly depth: number;
}

/**
 * Ten levels of trees whose ten entries all name the same tree below stand for ten thousand million
 * files. Git would list them one by one and keep them all in memory, so count them here first, each
 * tree once. Known trees count for nothing.
 */
export async function expansionOf(
  needs: Needs,
  roots: readonly string[],
  range: { readonly head: string; readonly known: readonly string[] },
): Promise<Expansion> {
  const trees = await readTrees(needs, await listTrees(needs, range), sizeOf);
  const sums = new Map<string, Expansion>();
  const waiting = [...roots];
  for (let tree = waiting.at(-1); tree !== undefined; tree = waiting.at(-1)) {
    const { files = 0, below = [] } = trees.get(tree) ?? {};
    const missing = below.filter((each) => trees.has(each) && !sums.has(each));
    if (missing.length > 0 && !sums.has(tree)) {
      for (const each of missing) waiting.push(each);
      continue;
    }
    sums.set(tree, sumOf(files, below, sums));
    waiting.pop();
  }
  const found = roots.map((root) => sums.get(root) ?? NONE);
  return {
    entries: Math.max(0, ...found.map(({ entries }) => entries)),
    depth: Math.max(0, ...found.map(({ depth }) => depth)),
  };
}

const NONE: Expansion = { entries: 0, depth: 0 };

function sumOf(
  files: number,
  below: readonly string[],
  sums: ReadonlyMap<string, Expansion>,
): Expansion {
  let entries = files;
  let depth = 0;
  for (const tree of below) {
    const sum = sums.get(tree) ?? NONE;
    entries += sum.entries;
    depth = Math.max(depth, sum.depth);
  }
  return { entries, depth: depth + 1 };
}

async function listTrees(
  { git, dir }: Needs,
  { head, known }: { readonly head: string; readonly known: readonly string[] },
): Promise<string[]> {
  const doing = 'counting received objects';
  const objects = await git.text({
    dir,
    doing,
    args: ['rev-list', '--objects', '--no-object-names', '--stdin'],
    stdin: `${[head, ...known.map((each) => `^${each}`)].join('\n')}\n`,
  });
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectname)'];
  const kinds = await git.text({ dir, doing, args, stdin: `${objects}\n` });
  return kinds.split('\n').flatMap((line) => (line.startsWith('tree ') ? [line.slice(5)] : []));
}

interface Tree {
  readonly files: number;
  readonly below: readonly string[];
}

function sizeOf(entries: Iterable<TreeEntry>): Tree {
  const below: string[] = [];
  let files = 0;
  for (const entry of entries) {
    if (isFolder(entry)) below.push(entry.object);
    else files += 1;
  }
  return { files, below };
}
