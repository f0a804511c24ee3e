import type { BranchUpdate } from '../../ports/branches.ts';
import { lockMirror, type MirrorRepository } from './mirror.ts';
import { pushCommit } from './push.ts';
import { refOf } from './ref-names.ts';
import type { Git } from './run-git.ts';

export interface UpdateNeeds {
  readonly git: Git;
  readonly path: string;
  readonly gnupgHome: string | null;
}

/** Pushes a commit unless the branch has moved, then records it in the mirror. */
export async function updateBranch(
  { git, path }: UpdateNeeds,
  { dir, remote }: MirrorRepository,
  to: { readonly branch: string; readonly expected: string; readonly commit: string },
): Promise<BranchUpdate> {
  using lock = await lockMirror({ path }, dir);
  const pushed = await pushCommit({ git, dir, lock }, remote, to);
  if (pushed.is !== 'pushed') return pushed;
  const args = ['update-ref', refOf(to.branch), to.commit];
  await git.run({ dir, lock, doing: `storing ${to.branch} in the mirror`, args });
  return { is: 'pushed', commit: to.commit };
}
