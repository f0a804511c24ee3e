import type { BranchUpdate, RebasePlan } from '../../ports/branches.ts';
import { RepositoryFailed } from '../../ports/workspace.ts';
import { type Commit, listCommits, readCommits } from './commits.ts';
import { isAncestor, mergeTrees } from './merge-trees.ts';
import type { MirrorRepository } from './mirror.ts';
import { checkedCommit } from './ref-names.ts';
import { commitTree } from './rewrite-commits.ts';
import type { Git } from './run-git.ts';
import { type UpdateNeeds, updateBranch } from './update-branch.ts';

/** Moves the commits of a branch onto another commit, unless the branch has moved. */
export async function rebaseBranch(
  needs: UpdateNeeds,
  mirror: MirrorRepository,
  { branch, expected, ...plan }: RebasePlan,
): Promise<BranchUpdate> {
  const made = await rebaseCommits(needs, mirror, { ...plan, commit: expected, name: branch });
  if (made.is !== 'made') return made;
  if (made.commit === expected) return { is: 'pushed', commit: expected };
  return await updateBranch(needs, mirror, { branch, expected, commit: made.commit });
}

interface CommitsPlan extends Pick<RebasePlan, 'onto' | 'who' | 'signingKey'> {
  /** The newest of the commits. */
  readonly commit: string;
  /** For the refusal. */
  readonly name: string;
}

type Rebased =
  | { readonly is: 'made'; readonly commit: string }
  | Extract<BranchUpdate, { is: 'conflict' | 'refused' }>;

/** Makes the commits that `onto` lacks again on top of it; commits that are there already stay as they are. */
export async function rebaseCommits(
  needs: UpdateNeeds,
  mirror: MirrorRepository,
  plan: CommitsPlan,
): Promise<Rebased> {
  const repository = { git: needs.git, dir: mirror.dir };
  if (await isAncestor(repository, plan.onto, plan.commit)) {
    return { is: 'made', commit: plan.commit };
  }
  const names = await listCommits(repository, checkedCommit(plan.commit), {
    known: [checkedCommit(plan.onto)],
    most: MAX_COMMITS,
  });
  if (names.length > MAX_COMMITS) {
    return { is: 'refused', because: `${plan.name} has more than ${MAX_COMMITS} commits` };
  }
  let commit = plan.onto;
  for (const picked of await readCommits(repository, names)) {
    // The base already has what a merge brought in.
    if (picked.parents.length !== 1) continue;
    const next = await cherryPick({ ...repository, gnupgHome: needs.gnupgHome }, plan, {
      picked,
      onto: commit,
    });
    if ('files' in next) return { is: 'conflict', files: next.files };
    commit = next.commit;
  }
  return { is: 'made', commit };
}

const MAX_COMMITS = 500;

type CherryPicked = { readonly commit: string } | { readonly files: readonly string[] };

/**
 * A commit with the tree of one side and the parent of the other makes that parent the merge base. Git
 * has an option for this only since 2.40.
 */
async function cherryPick(
  repository: { readonly git: Git; readonly dir: string; readonly gnupgHome: string | null },
  { who, signingKey }: Pick<RebasePlan, 'who' | 'signingKey'>,
  { picked, onto }: { readonly picked: Commit; readonly onto: string },
): Promise<CherryPicked> {
  const [parent] = await readCommits(repository, [onto]);
  if (!parent) throw new RepositoryFailed(`${onto} is not in the mirror`);
  const time = parent.time + 1;
  const mergeBase = await commitTree(
    repository,
    { who, signingKey: null },
    { tree: parent.tree, parents: picked.parents, time, message: 'aside' },
  );
  const merged = await mergeTrees(repository, mergeBase, picked.name);
  if ('files' in merged) return merged;
  if (merged.tree === parent.tree) return { commit: onto };
  const { message, author } = picked;
  const made = { tree: merged.tree, parents: [onto], time: Math.max(time, picked.time), message };
  return { commit: await commitTree(repository, { who, signingKey }, { ...made, author }) };
}
