import type { Finding } from '../../ports/workspace.ts';
import type { Links } from './links.ts';
import { shownPath } from './shown-path.ts';

/**
 * Links that leave the repository in one of the trees, but did not `before`. All links are followed,
 * not only the written ones: a new link can lead an old one out.
 */
export function leavingLinks(links: Links, trees: readonly string[], before: string): Finding[] {
  const old = leavingIn(links, before);
  const found = new Set<string>();
  for (const tree of new Set(trees)) {
    for (const [path, object] of leavingIn(links, tree)) {
      if (old.get(path) !== object) found.add(path);
    }
  }
  return [...found].map((path) => ({
    kind: 'hostile_entry',
    path: shownPath(path),
    because: 'it is a symbolic link that leaves the repository',
    blocks: true,
  }));
}

function leavingIn(links: Links, tree: string): Map<string, string> {
  const all = [...links.in(tree)];
  return new Map(all.filter(([path]) => links.follow(tree, path).is === 'outside'));
}

/** The other names that a path has by the links of a tree. */
export function aliasesIn(links: Links, tree: string): (path: string) => string[] {
  const sources = Map.groupBy(targetsIn(links, tree), ({ target }) => target);
  return (path) => {
    const names = new Set([path]);
    for (const name of names) {
      for (const alias of aliasesOf(sources, name)) {
        if (names.size > MOST_ALIASES) break;
        names.add(alias);
      }
    }
    names.delete(path);
    return [...names];
  };
}

/** A link to a folder above itself gives a path endless names. */
const MOST_ALIASES = 100;

interface LinkTarget {
  readonly path: string;
  readonly target: string;
}

function targetsIn(links: Links, tree: string): LinkTarget[] {
  return [...links.in(tree).keys()].flatMap((path) => {
    const reached = links.follow(tree, path);
    return reached.is === 'path' ? [{ path, target: reached.path }] : [];
  });
}

function aliasesOf(
  sources: ReadonlyMap<string, readonly LinkTarget[]>,
  name: string,
): readonly string[] {
  if (sources.size === 0) return [];
  const parts = name.split('/');
  return Array.from({ length: parts.length + 1 }, (_, above) => parts.length - above).flatMap(
    (length) =>
      (sources.get(parts.slice(0, length).join('/')) ?? []).map(({ path }) =>
        [path, ...parts.slice(length)].join('/'),
      ),
  );
}
