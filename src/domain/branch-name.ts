import { knownPullRequest, type Thread } from './thread.ts';

const PREFIX = 'hall';

/** The branch for all work of a thread, whichever agent takes its next task. */
export function branchOf(
  thread: Pick<Thread, 'id' | 'agent' | 'forge'>,
  prefix: string | null,
): string {
  const { branch } = thread.forge;
  return branch ?? `${prefix ?? PREFIX}/${thread.agent ?? 'anyone'}/issue-${numberOf(thread)}`;
}

/** The number that people use for it: its issue, else its pull request, else its own. */
function numberOf({ id, forge }: Pick<Thread, 'id' | 'forge'>): number {
  return forge.issue?.number ?? knownPullRequest(forge.pr)?.number ?? id;
}
