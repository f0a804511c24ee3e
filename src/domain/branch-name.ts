import { knownPullRequest, type Thread } from './thread.ts';

const PREFIX = 'hall';

/** The branch for all work of a thread, whichever agent takes its next task. */
export function branchOf(
  thread: Pick<Thread, 'id' | 'agent' | 'forge'>,
  prefix: string | null,
): string {
  const { branch } = thread.forge;
  return branch ?? `${prefix ?? PREFIX}/${thread.agent ?? 'anyone'}/${workOf(thread)}`;
}

/** `issue-7` by the number that people use for it: its issue, else its pull request, else its own. */
function workOf({ id, forge }: Pick<Thread, 'id' | 'forge'>): string {
  const { issue } = forge;
  const name = `issue-${issue?.number ?? knownPullRequest(forge.pr)?.number ?? id}`;
  if (!issue?.isElsewhere) return name;
  return `${(issue.repo ?? '').replace(/^[^:]*:/, '').replaceAll('/', '-')}-${name}`;
}
