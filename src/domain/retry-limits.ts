import type { Board } from './board.ts';
import type { ProjectSettings } from './project.ts';
import type { Thread, ThreadOnForge } from './thread.ts';

/*
 * How often agents may try again. Past a limit, a task fails or the thread is handed over to a
 * person; nothing is retried without an end.
 */

/** The task has cost more workers than the project allows, so it fails. */
export function hasCrashedTooOften(
  crashes: number,
  { crashRequeues }: Pick<ProjectSettings, 'crashRequeues'>,
): boolean {
  return crashes > crashRequeues;
}

/** The stricter limit of the project and of the persona that the thread is bound to. */
export function maxRetriesIn(
  board: Board,
  { agent }: Pick<Thread, 'agent'>,
  { maxRetries }: Pick<ProjectSettings, 'maxRetries'>,
): number {
  const own = agent === null ? null : board.personas.get(agent)?.settings.maxRetries;
  return Math.min(maxRetries, own ?? maxRetries);
}

/** The checks failed more often in a row than agents may try to fix them. */
export function haveChecksFailedTooOften(
  { ciRetries }: Pick<ThreadOnForge, 'ciRetries'>,
  { maxRetries }: Pick<ProjectSettings, 'maxRetries'>,
): boolean {
  return ciRetries > maxRetries;
}

/** The review rounds are used up without an approval. */
export function areReviewRoundsUsedUp(
  { rounds }: Pick<ThreadOnForge, 'rounds'>,
  { maxRounds }: Pick<ProjectSettings, 'maxRounds'>,
): boolean {
  return rounds >= maxRounds;
}
