import { sizesOf } from './changed-files.ts';
import { foldedName, isGitFolder } from './folded-name.ts';
import { readObjects } from './read-objects.ts';
import { isFolder, readTrees, type TreeEntry } from './read-trees.ts';
import type { Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

/** The folders and symbolic links of some trees, enough to follow any link in them. */
export interface Links {
  /** Every link below a root tree: its path and its object. */
  in(root: string): ReadonlyMap<string, string>;
  /** Where the link leads: a path, `outside` the repository, or in a circle. */
  follow(root: string, path: string): Reached;
}

type Reached =
  | { readonly is: 'path'; readonly path: string }
  | { readonly is: 'outside' }
  | { readonly is: 'circle' };

/** Reads all trees below the roots; trees that commits share are read once. */
export async function openLinks(needs: Needs, roots: readonly string[]): Promise<Links> {
  const folders = new Map<string, Folder>();
  for (let missing = [...new Set(roots)]; missing.length > 0; ) {
    const found = await readTrees(needs, missing, folderOf);
    for (const [name, folder] of found) folders.set(name, folder);
    const below = [...found.values()].flatMap((each) => [...each.folders.values()]);
    missing = [...new Set(below)].filter((name) => !folders.has(name));
  }
  const objects = [...folders.values()].flatMap(({ links }) => [...links.values()]);
  const targets = await readTargets(needs, [...new Set(objects)]);
  return {
    in: (root) => new Map(linksBelow(folders, root, '')),
    follow: (root, path) => follow({ folders, targets, root }, path),
  };
}

/** By name; files are left out. */
interface Folder {
  readonly folders: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
}

function folderOf(entries: Iterable<TreeEntry>): Folder {
  const folders = new Map<string, string>();
  const links = new Map<string, string>();
  for (const entry of entries) {
    if (isFolder(entry)) folders.set(entry.name, entry.object);
    if (entry.mode === '120000') links.set(entry.name, entry.object);
  }
  return { folders, links };
}

const LONGEST_TARGET = 4096;

async function readTargets(
  needs: Needs,
  objects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sizes = await sizesOf(needs, objects);
  const short = objects.filter((object) => (sizes.get(object) ?? 0) <= LONGEST_TARGET);
  // Treat a target too long for any file system like one that leads out.
  const targets = new Map(objects.map((object) => [object, '/']));
  await readObjects(needs, { names: short, doing: 'reading symbolic links' }, ({ name, raw }) => {
    targets.set(name, raw.toString('utf8'));
  });
  return targets;
}

function* linksBelow(
  folders: ReadonlyMap<string, Folder>,
  tree: string,
  prefix: string,
): Generator<[string, string]> {
  const folder = folders.get(tree);
  for (const [name, object] of folder?.links ?? []) yield [prefix + name, object];
  for (const [name, below] of folder?.folders ?? [])
    yield* linksBelow(folders, below, `${prefix}${name}/`);
}

interface LinkTree {
  readonly folders: ReadonlyMap<string, Folder>;
  readonly targets: ReadonlyMap<string, string>;
  readonly root: string;
}

/** Linux gives up after 40 links on the way. */
const MOST_LINKS = 40;

/**
 * Walks as the kernel does: `..` after a link leads to the parent of its target. What is not in the
 * tree counts as a folder, since it may come to be one.
 */
function follow({ folders, targets, root }: LinkTree, path: string): Reached {
  const waiting = path.split('/').reverse();
  const reached: { name: string; tree: string | undefined }[] = [];
  let followed = 0;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (reached.pop() === undefined) return { is: 'outside' };
      continue;
    }
    if (isGitFolder(part)) return { is: 'outside' };
    const above = reached.length === 0 ? root : reached.at(-1)?.tree;
    const folder = above === undefined ? undefined : folders.get(above);
    const link = folder && entryNamed(folder.links, folder.folders, part);
    if (link === undefined) {
      reached.push({ name: part, tree: folder && entryNamed(folder.folders, folder.links, part) });
      continue;
    }
    followed += 1;
    if (followed > MOST_LINKS) return { is: 'circle' };
    const target = targets.get(link) ?? '/';
    if (isAbsolute(target)) return { is: 'outside' };
    waiting.push(...target.split('/').reverse());
  }
  return { is: 'path', path: reached.map(({ name }) => name).join('/') };
}

/** By its exact name, or by one that some file system cannot tell from it. */
function entryNamed(
  entries: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
  name: string,
): string | undefined {
  const exact = entries.get(name);
  if (exact !== undefined || others.has(name)) return exact;
  const folded = foldedName(name);
  return [...entries].find(([each]) => foldedName(each) === folded)?.[1];
}

/** Windows has drives, and separates folders with backslashes. */
function isAbsolute(target: string): boolean {
  return target.startsWith('/') || /[\0\\]|^[a-z]:/i.test(target);
}
