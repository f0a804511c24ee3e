import type { Issue, Mergeability } from './model.ts';
import type { World } from './world.ts';

/** Head or base moved: what was known no longer holds. */
export function forgetMergeability(world: World, { pull, repository }: Issue): void {
  if (!pull) return;
  pull.mergeability = 'unknown';
  if (world.rules.mergeabilityIsReadOn === 'change' && !world.holdsMergeability) {
    world.background(computeMergeability(world, { pull, repository }));
  }
}

/** A new pull request: where the forge finds out by itself, it knows before it answers. */
export async function settleMergeability(world: World, issue: Issue): Promise<void> {
  const { rules, holdsMergeability } = world;
  if (rules.mergeabilityIsReadOn === 'look' || holdsMergeability) return;
  await computeMergeability(world, issue);
}

/** What is known now; on a forge that looks only when asked, a later look knows more. */
export function lookAtMergeability(world: World, { pull, repository }: Issue): Mergeability {
  if (!pull || pull.merged) return 'unknown';
  const known = pull.mergeability;
  if (known === 'unknown' && !world.holdsMergeability) {
    world.background(computeMergeability(world, { pull, repository }));
  }
  return known;
}

export async function computeMergeability(
  { git }: World,
  { pull, repository }: Pick<Issue, 'pull' | 'repository'>,
): Promise<void> {
  if (!pull) return;
  const { baseSha, headSha } = pull;
  const merged = await git.exec(repository.dir, ['merge-tree', '--write-tree', baseSha, headSha]);
  if (pull.baseSha !== baseSha || pull.headSha !== headSha) return;
  pull.mergeability = merged.code === 0 ? 'clean' : 'conflict';
}
