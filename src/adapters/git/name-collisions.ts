import type { Finding } from '../../ports/workspace.ts';
import { foldedName } from './folded-name.ts';
import { isFolder, readTrees, type TreeEntry } from './read-trees.ts';
import type { Git } from './run-git.ts';
import { shownPath } from './shown-path.ts';

interface AddedPath {
  readonly path: string;
  /** The root tree of a commit that has it. */
  readonly root: string;
}

/**
 * Names that differ only in case or in how their characters are composed become one file where the
 * file system cannot tell them apart, and the one that is checked out last wins. Pairs that `before`
 * has already are left alone.
 */
export async function nameCollisions(
  needs: { readonly git: Git; readonly dir: string },
  added: readonly AddedPath[],
  before: string,
): Promise<Finding[]> {
  const folders = new Map<string, Folder>();
  const findings: Finding[] = [];
  let walks = added.map((each) => startOf(each, before));
  for (let depth = 0; walks.length > 0; depth += 1) {
    const needed = walks.flatMap(({ same, before: old }) => [...same.map(({ tree }) => tree), old]);
    const missing = needed.filter((tree) => tree !== undefined && !folders.has(tree));
    const found = await readTrees(needs, missing.filter(isKnown), byFoldedName);
    for (const [name, folder] of found) folders.set(name, folder);
    const steps = walks.map((walk) => step(folders, walk, depth));
    findings.push(...steps.flatMap(({ finding }) => finding ?? []));
    walks = steps.flatMap(({ next }) => next ?? []);
  }
  return findings;
}

type Folder = ReadonlyMap<string, readonly TreeEntry[]>;

function byFoldedName(entries: Iterable<TreeEntry>): Folder {
  return Map.groupBy(entries, ({ name }) => foldedName(name));
}

function isKnown(tree: string | undefined): tree is string {
  return tree !== undefined;
}

/** One path on its way down from the root. */
interface Walk {
  readonly parts: readonly string[];
  /** The folders that some file system cannot tell from the one the path is in, with that one. */
  readonly same: readonly { readonly path: string; readonly tree: string }[];
  /** The tree of the same folder before the work. */
  readonly before: string | undefined;
}

function startOf({ path, root }: AddedPath, before: string): Walk {
  return { parts: path.split('/'), same: [{ path: '', tree: root }], before };
}

interface Step {
  readonly finding?: Finding;
  readonly next?: Walk;
}

function step(folders: ReadonlyMap<string, Folder>, walk: Walk, depth: number): Step {
  const part = walk.parts[depth];
  if (part === undefined) return {};
  const folded = foldedName(part);
  const path = walk.parts.slice(0, depth + 1).join('/');
  const same = walk.same.flatMap((folder) =>
    (folders.get(folder.tree)?.get(folded) ?? []).map((entry) => ({
      path: folder.path === '' ? entry.name : `${folder.path}/${entry.name}`,
      entry,
    })),
  );
  const known = walk.before === undefined ? undefined : folders.get(walk.before)?.get(folded);
  const old = known?.find(({ name }) => name === part);
  const other = same.find((each) => each.path !== path);
  if (other !== undefined && old === undefined) return { finding: collision(path, other.path) };
  return {
    next: {
      parts: walk.parts,
      same: same.flatMap((each) =>
        isFolder(each.entry) ? [{ path: each.path, tree: each.entry.object }] : [],
      ),
      before: old && isFolder(old) ? old.object : undefined,
    },
  };
}

function collision(path: string, other: string): Finding {
  return {
    kind: 'hostile_entry',
    path: shownPath(path),
    because: `some file systems cannot tell its name from ${shownPath(other)}`,
    blocks: true,
  };
}
