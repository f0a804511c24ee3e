import type { BranchUpdate, MergePlan } from '../../ports/branches.ts';
import { cleanMessage } from './clean-message.ts';
import { readCommits } from './commits.ts';
import { isAncestor, mergeTrees } from './merge-trees.ts';
import type { MirrorRepository } from './mirror.ts';
import { checkedCommit } from './ref-names.ts';
import { commitTree } from './rewrite-commits.ts';
import { type UpdateNeeds, updateBranch } from './update-branch.ts';

/** Merges or squashes a commit into a branch that must still be at `plan.expected`. */
export async function mergeBranch(
  needs: UpdateNeeds,
  mirror: MirrorRepository,
  plan: MergePlan,
): Promise<BranchUpdate> {
  const repository = { git: needs.git, dir: mirror.dir };
  if (await isAncestor(repository, plan.commit, plan.expected)) {
    return { is: 'pushed', commit: plan.expected };
  }
  const merged = await mergeTrees(repository, plan.expected, plan.commit);
  if ('files' in merged) return { is: 'conflict', files: merged.files };
  const [into] = await readCommits(repository, [checkedCommit(plan.expected)]);
  if (into?.tree === merged.tree) return { is: 'pushed', commit: plan.expected };
  const parents = plan.how === 'merge' ? [plan.expected, plan.commit] : [plan.expected];
  const newCommit = await commitTree({ ...repository, gnupgHome: needs.gnupgHome }, plan, {
    tree: merged.tree,
    parents,
    time: Math.floor(Date.now() / 1000),
    message: cleanMessage(plan.message, []),
  });
  return await updateBranch(needs, mirror, {
    branch: plan.into,
    expected: plan.expected,
    commit: newCommit,
  });
}
