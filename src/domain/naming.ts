import type { Thread } from './thread.ts';

const PREFIX = 'hall';

/** The branch on which all work of a thread is done, whoever takes its next task. */
export function branchOf(
  thread: Pick<Thread, 'id' | 'agent' | 'forge'>,
  prefix: string | null,
): string {
  const { branch } = thread.forge;
  return branch ?? `${prefix ?? PREFIX}/${thread.agent ?? 'anyone'}/issue-${numberOf(thread)}`;
}

/** Under which a conversation is kept, so that any member of the type can go on with it. */
export function sessionKey(
  type: string,
  repo: string,
  thread: Pick<Thread, 'id' | 'forge'>,
): string {
  return `${type}:${repo}:${numberOf(thread)}`;
}

/** The number people know it by: its issue, else its pull request, else its own. */
function numberOf({ id, forge }: Pick<Thread, 'id' | 'forge'>): number {
  return forge.issue?.number ?? forge.pr?.number ?? id;
}
