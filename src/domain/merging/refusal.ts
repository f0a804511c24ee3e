import type { Board } from '../board.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { ThreadId } from '../ids.ts';
import { handOverToPerson, onOpenPullRequest } from '../pull-request.ts';

/** The host could not merge it and a retry would fail too, so a person takes over with the reason. */
export function reportMergeRefusal(
  board: Board,
  { thread: id, because }: { thread: ThreadId; because: string },
  now: Now,
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) =>
    decide(id, [
      { type: 'MergeRequested', thread: id, by: null },
      handOverToPerson(thread, `the merge was refused: ${because}`, now.at),
    ]),
  );
}
