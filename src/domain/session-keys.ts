import type { Board } from './board.ts';
import { nameOf } from './ids.ts';
import { knownPullRequest, type Thread } from './thread.ts';

export function sessionKeysIn(
  { projects }: Pick<Board, 'projects'>,
  type: string,
  thread: Pick<Thread, 'id' | 'forge' | 'project'>,
): readonly [now: string, ...before: string[]] {
  const repo = projects.get(thread.project)?.settings.repo ?? thread.project;
  return sessionKeys(type, repo, thread);
}

/** The keys of every conversation that an agent may resume: those of open threads. */
export function* openSessionKeys(board: Pick<Board, 'projects' | 'instances' | 'threads'>) {
  const types = new Set([...board.instances.values()].map(({ type }) => type));
  for (const thread of board.threads.values()) {
    for (const type of types) yield* sessionKeysIn(board, type, thread);
  }
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
  const number = forge.issue?.number ?? knownPullRequest(forge.pr)?.number;
  const own = `${type}:${repo}:${nameOf('thread', id)}`;
  return number === undefined ? [own] : [`${type}:${repo}:${number}`, own];
}
