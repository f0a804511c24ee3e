import type { Branches } from '../../ports/branches.ts';
import { readCommits } from './commits.ts';
import { mergeBranch } from './merge-branch.ts';
import { mergeBase, mergeTrees } from './merge-trees.ts';
import type { MirrorRepository } from './mirror.ts';
import { rebaseBranch } from './rebase-branch.ts';
import { checkedCommit } from './ref-names.ts';
import { failureOf, type Git } from './run-git.ts';
import type { UpdateNeeds } from './update-branch.ts';

interface InRepository {
  readonly git: Git;
  readonly dir: string;
}

export function createBranches(needs: UpdateNeeds, mirror: MirrorRepository): Branches {
  const repository = { git: needs.git, dir: mirror.dir };
  return {
    async conflicts(one, other) {
      const merged = await mergeTrees(repository, one, other);
      return 'files' in merged ? merged.files : [];
    },
    mergeBase: (one, other) => mergeBase(repository, one, other),
    treeOf: async (commit) =>
      (await readCommits(repository, [checkedCommit(commit)]))[0]?.tree ?? null,
    haveSameFiles: (one, other) => haveSameFiles(repository, one, other),
    merge: (plan) => mergeBranch(needs, mirror, plan),
    rebase: (plan) => rebaseBranch(needs, mirror, plan),
    log: (from, to, most) => logOf(repository, { from, to, most }),
    diff: (from, to, most) => diffOf(repository, { from, to, most }),
  };
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly most: number;
}

async function haveSameFiles(
  repository: InRepository,
  one: string,
  other: string,
): Promise<boolean> {
  const [a, b] = await readCommits(repository, [checkedCommit(one), checkedCommit(other)]);
  return a !== undefined && a.tree === b?.tree;
}

async function logOf({ git, dir }: InRepository, { from, to, most }: Range): Promise<string> {
  const text = await git.text({
    dir,
    doing: `reading the commits of ${to}`,
    args: [
      'log',
      '--no-color',
      '--max-count=200',
      '--format=%h %an: %B',
      `${checkedCommit(from)}..${checkedCommit(to)}`,
    ],
  });
  return truncated(text, most);
}

async function diffOf({ git, dir }: InRepository, { from, to, most }: Range): Promise<string> {
  const doing = `reading the changes of ${to}`;
  const flags = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--stat', '-p'];
  const args = ['diff', ...flags, `${checkedCommit(from)}...${checkedCommit(to)}`];
  const { code, stdout, stderr } = await git.exec({
    dir,
    doing,
    args,
    mostBytes: most * 4 + 1024 * 1024,
  });
  if (code !== 0 && stdout.length < most)
    throw failureOf({ dir, doing, args }, { code, stdout, stderr });
  return truncated(stdout.toString('utf8'), most);
}

function truncated(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = `\n… truncated; ${text.length - most} more characters`;
  return `${text.slice(0, Math.max(0, most - cut.length))}${cut}`;
}
