import { nameOf } from './ids.ts';
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

/**
 * Under which a conversation is kept, so that any member of the type can go on with it: the number of
 * its issue, or of its pull request. A thread that has neither, or had neither when the conversation
 * began, is known by its own name, which no number of a forge can be mistaken for.
 */
export function sessionKeys(
  type: string,
  repo: string,
  { id, forge }: Pick<Thread, 'id' | 'forge'>,
): readonly [now: string, ...before: string[]] {
  const number = forge.issue?.number ?? forge.pr?.number;
  const own = `${type}:${repo}:${nameOf('thread', id)}`;
  return number === undefined ? [own] : [`${type}:${repo}:${number}`, own];
}

/** The number people know it by: its issue, else its pull request, else its own. */
function numberOf({ id, forge }: Pick<Thread, 'id' | 'forge'>): number {
  return forge.issue?.number ?? forge.pr?.number ?? id;
}
