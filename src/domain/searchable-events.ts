import type { EventType, HallEvent } from './event.ts';
import type { RunId, TaskId, ThreadId } from './ids.ts';

/** The types of events that can change what a search for tasks finds. */
export const SEARCHABLE_EVENTS = [
  'TaskPosted',
  'TaskEdited',
  'RunEnded',
  'PullRequestOpened',
] as const satisfies readonly EventType[];

export function isSearchable(event: HallEvent): boolean {
  const names = [taskWithNewText(event), runWithBranch(event), threadWithPullRequest(event)];
  return names.some((name) => name !== undefined);
}

/** The task whose title or body is new. */
export function taskWithNewText(event: HallEvent): TaskId | undefined {
  if (event.type === 'TaskPosted') return event.task.id;
  if (event.type !== 'TaskEdited') return undefined;
  const { title, body } = event.change;
  return title === undefined && body === undefined ? undefined : event.task;
}

/** The run that gave its thread a branch or a pull request. */
export function runWithBranch(event: HallEvent): RunId | undefined {
  if (event.type !== 'RunEnded' || event.ending.how !== 'completed') return undefined;
  const { branch, pr } = event.ending.result;
  return branch === null && pr === null ? undefined : event.run;
}

export function threadWithPullRequest(event: HallEvent): ThreadId | undefined {
  return event.type === 'PullRequestOpened' ? event.thread : undefined;
}

/** How many characters the event adds to what can be found. */
export function searchableLength(event: HallEvent): number {
  if (event.type === 'TaskPosted') return event.task.title.length + event.task.body.length;
  return event.type === 'TaskEdited' ? (event.change.body?.length ?? 0) : 0;
}
