import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ForgeBoard, REPO } from '../../../test/support/forge-board.ts';
import { finishLook, requestLook } from './look.ts';

const KEY = `${REPO}#7`;

it('however many deliveries name an issue, it is one look', () => {
  const table = ForgeBoard.open();
  for (let at = 1; at <= 500; at += 1) table.apply(...requested(table, at, undefined));
  assert.equal(table.board.looks.get(KEY)?.since, 1);
  table.apply(...finishLook(table.board, KEY, 600).events);
  assert.equal(table.board.looks.size, 0);
});

it('deliveries that come while a look runs cause one more, also in the millisecond in which it began', () => {
  const table = ForgeBoard.open();
  table.apply(...requested(table, 10, undefined));
  for (const at of [20, 21, 22]) table.apply(...requested(table, at, 20));
  assert.equal(table.board.looks.get(KEY)?.since, 21);
  table.apply(...finishLook(table.board, KEY, 20).events);
  assert.equal(table.board.looks.size, 1, 'it is looked at again');
  table.apply(...finishLook(table.board, KEY, 30).events);
  assert.equal(table.board.looks.size, 0);
});

function requested({ board }: ForgeBoard, at: number, begunAt: number | undefined) {
  return requestLook(board, { repo: REPO, number: 7 }, { at, begunAt }).events;
}
