import type { ChangedFile, Finding } from '../../ports/workspace.ts';
import type { Entry } from './changed-files.ts';
import { type Commit, readCommits } from './commits.ts';
import { LINK } from './hostile-entries.ts';
import { aliasesIn, leavingLinks } from './link-findings.ts';
import { openLinks } from './links.ts';
import { nameCollisions } from './name-collisions.ts';
import type { Git } from './run-git.ts';
import { sensitivePath } from './sensitive-paths.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly commits: readonly Commit[];
}

interface Written {
  readonly files: readonly ChangedFile[];
  readonly entries: readonly Entry[];
  readonly paths: readonly string[];
}

/** What only the trees show, since it depends on entries that the work did not touch. */
export async function findingsInTrees(
  needs: Needs,
  { from, to, commits }: Range,
  { files, entries, paths }: Written,
): Promise<Finding[]> {
  const [before = '', after = ''] = (await readCommits(needs, [from, to])).map(({ tree }) => tree);
  const trees = new Map(commits.map(({ name, tree }) => [name, tree]));
  const touching = entries.filter((entry) => [entry.mode, ...entry.before].includes(LINK));
  const touched = touching.map(({ commit }) => trees.get(commit) ?? after);
  const links = await openLinks(needs, [
    after,
    ...(touched.length > 0 ? [before] : []),
    ...touched,
  ]);
  const added = [
    ...entries.flatMap(({ path, isAdded, commit }) =>
      isAdded ? [{ path, root: trees.get(commit) ?? after }] : [],
    ),
    ...files.flatMap(({ path, change }) => (change === 'added' ? [{ path, root: after }] : [])),
  ];
  const aliases = aliasesIn(links, after);
  return [
    ...(touched.length > 0 ? leavingLinks(links, [...touched, after], before) : []),
    ...(await nameCollisions(needs, added, before)),
    ...paths.flatMap((path) => sensitivePath(path, aliases(path)) ?? []),
  ];
}
