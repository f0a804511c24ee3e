import type { Board } from '../board.ts';
import type { HallEvent } from '../event.ts';
import type { Row } from '../row.ts';

/**
 * A comment that the hall owes: an answer to a command, a refusal, a mention. Unlike a card it is written
 * once, so it is kept until the forge has it. Its key is part of the comment, and a try whose outcome is
 * unknown is found by it.
 */
export interface Reply {
  readonly key: string;
  /** `github:acme/shop`. */
  readonly repo: string;
  readonly number: number;
  readonly text: string;
  /** A trigger label that was refused, and is taken off with the answer. */
  readonly removesLabel?: string;
}

/** The first line of the comment, which people do not see. */
export function replyMarker({ key }: Pick<Reply, 'key'>): string {
  return `<!-- hall-reply: ${key} -->`;
}

type ReplyEvent = Extract<HallEvent, { type: 'ReplyQueued' | 'ReplySent' }>;

export function evolveReplies(board: Board, event: ReplyEvent): readonly Row[] {
  if (event.type === 'ReplyQueued') {
    board.replies.set(event.reply.key, event.reply);
    return [{ table: 'reply', key: event.reply.key, row: event.reply }];
  }
  board.replies.delete(event.reply);
  return [{ table: 'reply', key: event.reply, row: null }];
}
