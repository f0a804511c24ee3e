import type { Board } from './board.ts';
import { sessionKeys } from './naming.ts';
import type { Thread } from './thread.ts';

export function sessionKeysIn(
  { projects }: Pick<Board, 'projects'>,
  type: string,
  thread: Pick<Thread, 'id' | 'forge' | 'project'>,
): readonly [now: string, ...before: string[]] {
  const repo = projects.get(thread.project)?.settings.repo ?? thread.project;
  return sessionKeys(type, repo, thread);
}

/** The keys of every conversation that an agent may resume: those of open threads. */
export function* openSessions(board: Pick<Board, 'projects' | 'instances' | 'threads'>) {
  const types = new Set([...board.instances.values()].map(({ type }) => type));
  for (const thread of board.threads.values()) {
    for (const type of types) yield* sessionKeysIn(board, type, thread);
  }
}
