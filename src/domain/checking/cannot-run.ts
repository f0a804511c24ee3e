import type { Board } from '../board.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import { nameOf, type ThreadId } from '../ids.ts';
import { withdrawMergeRequest } from '../merging/request.ts';
import { operatorCommand } from '../operator-command.ts';
import { handOverToPerson, onOpenPullRequest } from '../pull-request.ts';
import { redactText } from '../redaction.ts';

/** A check could not start. No agent can fix that, so the hall hands the thread to a person at once. */
export function reportChecksCannotRun(
  board: Board,
  { thread: id, commit, because }: { thread: ThreadId; commit: string; because: string },
  now: Now,
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    if (thread.forge.head !== commit) return decide(id, []);
    const way = `fix the machine, the setup: commands or the check itself, then hand the thread back with: ${operatorCommand('thread handback', nameOf('thread', id))}`;
    return decide(id, [
      ...withdrawMergeRequest(thread),
      handOverToPerson(thread, `${redactText(because)}\n${way}`, now.at),
    ]);
  });
}
