import type { Board } from '../board.ts';
import { type Decision, decide } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { Instant } from '../ids.ts';
import type { Row } from '../row.ts';
import { issueKey } from './issue-record.ts';

/** An issue or pull request that a webhook named. It is looked at by the API, soon and once. */
export interface RequestedLook {
  /** `github:acme/shop`. */
  readonly repo: string;
  readonly number: number;
  readonly since: Instant;
}

/**
 * Marks an issue or pull request to be looked at. However many deliveries name it, it is one look; but one that
 * has begun may have missed what a delivery tells of, so another follows it.
 */
export function requestLook(
  board: Board,
  { repo, number }: Omit<RequestedLook, 'since'>,
  { at, begunAt }: { readonly at: Instant; readonly begunAt: Instant | undefined },
): Decision<string> {
  const key = issueKey(repo, number);
  const marked = board.looks.get(key)?.since;
  if (marked !== undefined && marked > (begunAt ?? 0)) return decide(key, []);
  const since = Math.max(at, (begunAt ?? 0) + 1);
  return decide(key, [{ type: 'LookRequested', look: { repo, number, since } }]);
}

/**
 * The look is done. A delivery that came while it ran asked before the look ended, but perhaps for
 * something that happened after it began, so only a look that was requested before it began is over.
 */
export function finishLook(board: Board, key: string, begunAt: Instant): Decision<string> {
  const look = board.looks.get(key);
  if (!look || look.since > begunAt) return decide(key, []);
  return decide(key, [{ type: 'LookDone', look: key }]);
}

type LookEvent = Extract<HallEvent, { type: 'LookRequested' | 'LookDone' | 'RepositoryRead' }>;

export function evolveLooks(board: Board, event: LookEvent): readonly Row[] {
  if (event.type === 'RepositoryRead') {
    board.cursors.set(event.repo, event.cursor);
    return [{ table: 'cursor', key: event.repo, row: event.cursor }];
  }
  if (event.type === 'LookDone') {
    board.looks.delete(event.look);
    return [{ table: 'look', key: event.look, row: null }];
  }
  const key = issueKey(event.look.repo, event.look.number);
  board.looks.set(key, event.look);
  return [{ table: 'look', key, row: event.look }];
}
