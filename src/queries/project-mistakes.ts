import { unknownApprover, unknownForge } from '../api/project-references.ts';
import type { Mistake } from '../api/validate.ts';
import type { Board } from '../domain/board.ts';

interface Named {
  readonly repo?: string | null | undefined;
  readonly approvers?: readonly string[] | undefined;
}

/** The first setting of a project that names something which does not exist. */
export function projectMistake(
  board: Board,
  { repo, approvers = [] }: Named,
  forges: readonly string[],
): Mistake | undefined {
  const forge = repo ? unknownForge(repo, forges) : undefined;
  if (forge !== undefined) return { path: 'repo', message: forge };
  const types = [...board.types.keys()];
  for (const [n, approver] of approvers.entries()) {
    const message = unknownApprover(approver, types);
    if (message !== undefined) return { path: `approvers[${n}]`, message };
  }
  return undefined;
}
