import type { Board } from './board.ts';
import { type Decision, refuseWith } from './decision.ts';
import type { HallEvent } from './event.ts';
import { nameOf, type ThreadId } from './ids.ts';
import type { Project } from './project.ts';
import { refuse } from './refusal.ts';
import type { Thread } from './thread.ts';

/** A thread with an open pull request, and its project. */
interface Open {
  readonly thread: Thread;
  readonly project: Project;
}

/** Decides about an open pull request, or refuses when there is none. */
export function onOpenPullRequest(
  board: Board,
  id: ThreadId,
  decideOn: (open: Open) => Decision<ThreadId>,
): Decision<ThreadId> {
  const thread = board.threads.get(id);
  const project = thread && board.projects.get(thread.project);
  if (thread?.forge.pr?.state === 'open' && project) return decideOn({ thread, project });
  return refuseWith(
    refuse('no_open_pull_request', `${nameOf('thread', id)} has no open pull request`),
  );
}

/** Agents cannot continue: hands the thread to a person, with the reason. */
export function handOverToPerson(thread: Thread, because: string, at: number): HallEvent {
  const handedOver = { since: at, by: 'hall', because };
  return { type: 'ThreadChanged', thread: thread.id, change: { handedOver } };
}
