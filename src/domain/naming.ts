import { nameOf } from './ids.ts';
import type { Thread } from './thread.ts';

const PREFIX = 'hall';

/** The branch for all work of a thread, whichever agent takes its next task. */
export function branchOf(
  thread: Pick<Thread, 'id' | 'agent' | 'forge'>,
  prefix: string | null,
): string {
  const { branch } = thread.forge;
  return branch ?? `${prefix ?? PREFIX}/${thread.agent ?? 'anyone'}/issue-${numberOf(thread)}`;
}

/**
 * The keys of a saved conversation, which any instance of the type can resume: the number of the
 * issue or of the pull request. A thread without either, or without them when the conversation
 * began, uses its own name, which cannot be confused with a forge's number.
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

/** The number that people use for it: its issue, else its pull request, else its own. */
function numberOf({ id, forge }: Pick<Thread, 'id' | 'forge'>): number {
  return forge.issue?.number ?? forge.pr?.number ?? id;
}
