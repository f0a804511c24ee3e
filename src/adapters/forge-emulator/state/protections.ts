import { forgetMergeability } from './mergeability.ts';
import type { Protection, Repository } from './model.ts';
import type { World } from './world.ts';

/** Where the forge finds out by itself what can be merged, a changed rule makes it look again. */
export function protectBranch(
  world: World,
  { repository, branch }: { readonly repository: Repository; readonly branch: string },
  protection: Protection | null,
): void {
  if (protection) repository.protections.set(branch, protection);
  else repository.protections.delete(branch);
  if (world.rules.mergeabilityIsReadOn === 'look') return;
  for (const issue of repository.issues.values()) {
    if (issue.isOpen && issue.pull?.baseBranch === branch) forgetMergeability(world, issue);
  }
}
