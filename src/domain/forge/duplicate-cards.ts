import type { Board } from '../board.ts';
import { type Decision, decide } from '../decision.ts';
import type { Written } from '../thread.ts';
import { type LookResult, openThreadOf } from './look-result.ts';
import type { Comment } from './snapshot.ts';
import { CARD_MARKER } from './status-card.ts';

/**
 * Forgets which comment is the card of a page that has another one by the hall's own account. The next update
 * then lists the comments, keeps the oldest card and deletes the rest.
 */
export function noticeDuplicateCards(board: Board, result: LookResult): Decision<null> {
  const thread = openThreadOf(board, result);
  if (!thread) return decide(null, []);
  const { issueCard, pullCard } = thread.forge.written ?? {};
  const { issue, pull } = result.snapshot;
  const hasCopy = (comments: readonly Comment[] = [], card: Written['issueCard']) =>
    card != null && comments.some((comment) => isCard(comment, result) && comment.id !== card.id);
  const written = {
    ...(hasCopy(issue?.comments, issueCard) && { issueCard: null }),
    ...(hasCopy(pull?.comments, pullCard) && { pullCard: null }),
  };
  if (Object.keys(written).length === 0) return decide(null, []);
  return decide(null, [{ type: 'ForgeWritten', thread: thread.id, written }]);
}

/** A marker that someone else wrote means nothing. */
function isCard({ author, body }: Comment, { rights }: LookResult): boolean {
  return author.id === rights.own.id && body.startsWith(CARD_MARKER);
}
