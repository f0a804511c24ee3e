import type { BranchUpdate, MergePlan } from '../../ports/branches.ts';
import { cleanMessage } from './clean-message.ts';
import { readCommits } from './commits.ts';
import { isAncestor, mergeTrees } from './merge-trees.ts';
import type { MirrorRepository } from './mirror.ts';
import { rebaseCommits } from './rebase-branch.ts';
import { checkedCommit } from './ref-names.ts';
import { commitTree } from './rewrite-commits.ts';
import { type UpdateNeeds, updateBranch } from './update-branch.ts';

/** Merges a commit, squashed or rebased if asked, into a branch that must still be at `plan.expected`. */
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
  // An earlier attempt squashed or rebased it, and died before it was recorded.
  if (into?.tree === merged.tree) return { is: 'pushed', commit: plan.expected };
  const made =
    plan.how === 'rebase'
      ? await rebaseCommits(needs, mirror, rebasePlan(plan))
      : { is: 'made' as const, commit: await commitMerge(needs, mirror, plan, merged.tree) };
  if (made.is !== 'made') return made;
  const { into: branch, expected } = plan;
  return await updateBranch(needs, mirror, { branch, expected, commit: made.commit });
}

function rebasePlan({ commit, expected, into, who, signingKey }: MergePlan) {
  return { commit, onto: expected, who, signingKey, name: `the work for ${into}` };
}

async function commitMerge(
  { git, gnupgHome }: UpdateNeeds,
  { dir }: MirrorRepository,
  plan: MergePlan,
  tree: string,
): Promise<string> {
  const isSquashed = plan.how === 'squash';
  const [newest] = await readCommits({ git, dir }, [checkedCommit(plan.commit)]);
  return await commitTree({ git, dir, gnupgHome }, plan, {
    tree,
    parents: isSquashed ? [plan.expected] : [plan.expected, plan.commit],
    time: Math.floor(Date.now() / 1000),
    message: cleanMessage(plan.message, []),
    // One commit stands for the work of the branch, so it has the author of that work.
    ...(isSquashed && newest && { author: newest.author }),
  });
}
