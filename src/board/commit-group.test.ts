import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from '../domain/board.ts';
import type { ThreadId } from '../domain/ids.ts';
import { finishLoading, loadRow } from '../domain/load-row.ts';
import { NO_TASKS, NO_THREADS, NOT_ON_FORGE, type Thread } from '../domain/thread.ts';
import { NO_HEAD } from '../ports/store.ts';
import { Group } from './commit-group.ts';

/** More than a function takes arguments. */
const WAITING = 130_000;

test('a thread with very many dependents can be completed like any other', () => {
  const board = new Board();
  const first = 1 as ThreadId;
  placeThread(board, first, NO_THREADS);
  for (let id = 2; id < WAITING + 2; id += 1) placeThread(board, id as ThreadId, [first]);
  finishLoading(board);
  board.advance(WAITING + 1);
  const recalled = { responses: new Map(), tasks: new Map(), threads: new Map(), runs: new Map() };
  const group = new Group(board, recalled, { at: 0, steady: 0 });

  group.apply([{ type: 'ThreadDone', thread: first }], { actor: 'hall', cause: 'test' });

  assert.equal(group.stored(NO_HEAD, 0, []).rows.length, WAITING + 1);
  assert.deepEqual(board.threads.get(2 as ThreadId)?.blockedBy, []);
  board.rollback();
  assert.deepEqual(board.threads.get(2 as ThreadId)?.blockedBy, [first]);
  assert.equal(board.dependents.size, 1);
});

function placeThread(board: Board, id: ThreadId, waits: readonly ThreadId[]): void {
  const row: Thread = {
    ...{
      id,
      project: 'p',
      labels: [],
      size: 'M',
      agent: null,
      dependsOn: waits,
      blockedBy: waits,
      parent: null,
    },
    ...{ children: 0, childrenDone: 0, completed: false, tasks: NO_TASKS, state: 'open' },
    ...{ handedOver: null, forge: NOT_ON_FORGE, openedAt: 0 },
  };
  loadRow(board, { table: 'thread', key: id, row });
}
