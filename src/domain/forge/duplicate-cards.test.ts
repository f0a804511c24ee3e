import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ADA, ForgeBoard, HALL, issue, pull } from '../../../test/support/forge-board.ts';
import { noticeDuplicateCards } from './duplicate-cards.ts';
import type { Account, Comment } from './snapshot.ts';
import { CARD_MARKER } from './status-card.ts';

const comment = (id: number, author: Account, body = `${CARD_MARKER}\n`): Comment => ({
  ...{ id, author, body, at: 0, url: '' },
});

it('the card of a page is forgotten when a look finds another one by the account of the hall', () => {
  const table = ForgeBoard.open();
  table.commented(ADA, '@the-hall dev: do it').opened();
  const noticed = (onIssue: readonly Comment[], onPull: readonly Comment[] = []) => {
    const snapshot = { issue: issue({ comments: onIssue }), pull: pull({ comments: onPull }) };
    const { events } = noticeDuplicateCards(table.board, table.look(snapshot));
    return events.map((event) => (event.type === 'ForgeWritten' ? event.written : event));
  };
  assert.deepEqual(noticed([comment(1, HALL)]), [], 'no card is known yet');
  const written = { issueCard: { id: 1, hash: 'a' }, pullCard: { id: 2, hash: 'b' } };
  table.apply({ type: 'ForgeWritten', thread: table.thread.id, written });
  assert.deepEqual(noticed([comment(1, HALL)], [comment(2, HALL)]), [], 'the known cards');
  assert.deepEqual(noticed([comment(3, ADA), comment(4, HALL, `see ${CARD_MARKER}`)]), []);
  assert.deepEqual(noticed([comment(5, HALL)]), [{ issueCard: null }]);
  assert.deepEqual(noticed([], [comment(5, HALL)]), [{ pullCard: null }]);
});
