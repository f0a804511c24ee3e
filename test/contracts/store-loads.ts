import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryTables } from '../../src/adapters/memory/tables.ts';
import { verifyChain } from '../../src/adapters/sql/chain.ts';
import { rebuild } from '../../src/adapters/sql/rebuild.ts';
import { Board } from '../../src/domain/board.ts';
import { evolve } from '../../src/domain/evolve.ts';
import type { WorkerId } from '../../src/domain/ids.ts';
import { finishLoading, loadRow } from '../../src/domain/load-row.ts';
import type { Row } from '../../src/domain/row.ts';
import { isClosed, isHeld } from '../../src/domain/task.ts';
import { isOpen } from '../../src/domain/thread.ts';
import { type Heartbeat, NO_HEAD, type Store } from '../../src/ports/store.ts';
import { describeBoard } from '../support/describe-board.ts';
import { dumpOf, opened } from '../support/opened-store.ts';
import { askAbout, dice, everyEvent, settleIn, wander } from '../support/story.ts';
import { verifyTables } from '../support/verify-tables.ts';
import type { OpenStore } from './store.contract.ts';

const ORDER = [
  'hall',
  'project',
  'tally',
  'base_checks',
  'type',
  'persona',
  'instance',
  'invoker',
  'token',
  'secret',
  'rule',
  'approval',
  'thread',
  'task',
  'worker',
  'run',
];

async function loaded(store: Store) {
  const rows: Row[] = [];
  const savedHeartbeats: Heartbeat[] = [];
  const head = await store.load(
    (row) => rows.push(row),
    (heartbeat) => savedHeartbeats.push(heartbeat),
  );
  return { head, rows, savedHeartbeats };
}

async function boardOf(store: Store): Promise<Board> {
  const board = new Board();
  const { head, rows } = await loaded(store);
  for (const row of rows) loadRow(board, row);
  finishLoading(board);
  board.advance(head.seq);
  board.commit();
  return board;
}

/** Shows only the difference: a whole board is hundreds of lines. */
function assertSameBoard(actual: Board, expected: Board): void {
  const [has, should] = [actual, expected].map((board) => describeBoard(board).split('\n'));
  const only = (lines: readonly string[] = [], others: readonly string[] = []) =>
    lines.filter((line) => !others.includes(line));
  assert.deepEqual(only(has, should), only(should, has));
  assert.deepEqual(has, should);
}

export function storeLoads(open: OpenStore): void {
  test('loading returns open rows in table order, and the head of the log', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    everyEvent(history);
    askAbout(history, history.claim(history.post('shop').task, history.worker('dev-1')));
    const heartbeat = { worker: 3 as WorkerId, lastSeen: history.at, worked: 17 };
    const head = await history.commit(store, { heartbeats: [heartbeat] });

    const { rows, savedHeartbeats, ...ended } = await loaded(store);

    assert.deepEqual(ended.head, head);
    assert.deepEqual(savedHeartbeats, [heartbeat]);
    const tables = [...new Set(rows.map(({ table }) => table))];
    assert.deepEqual(tables, ORDER);
    const places = rows.map(({ table }) => ORDER.indexOf(table));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  test('loading returns exactly the open rows', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    everyEvent(history);
    await history.commit(store);
    const { board } = history;
    const { rows } = await loaded(store);
    for (const row of rows) {
      if (row.table === 'thread') assert.equal(isOpen(row.row), true);
      if (row.table === 'task') assert.equal(isClosed(row.row.state), false);
      if (row.table === 'worker') assert.equal(row.row.deregistered, null);
      if (row.table === 'run') assert.equal(row.row.ending, null);
    }
    const count = (table: string) => rows.filter((row) => row.table === table).length;
    assert.deepEqual(
      [count('thread'), count('task'), count('worker'), count('run'), count('token')],
      [board.threads.size, board.tasks.size, board.workers.size, board.runs.size, 1],
    );
  });

  test('a thread is loaded without its tasks, and a task held by a run is loaded as available', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const { task } = history.post('shop');
    const run = history.claim(task, history.worker('dev-1'));
    history.record({ type: 'RunStarted', run });
    history.record({ type: 'TaskEdited', task, change: { title: 'While it runs' } });
    await history.commit(store);

    for (const row of (await loaded(store)).rows) {
      if (row.table === 'thread') assert.deepEqual(row.row.tasks, []);
      if (row.table === 'task') assert.equal(row.row.state.is, 'available');
    }
  });

  test('the tables are folded to the end of the log when they are read', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    assert.equal(await store.foldedTo(), 0);
    settleIn(history);
    for (let n = 0; n < 3; n += 1) {
      history.post('shop');
      const { seq } = await history.commit(store);
      assert.equal(await store.foldedTo(), seq);
    }
  });

  test('a child that is reopened without its closed parent has no parent in the tables', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const { thread: parent, task: above } = history.post('shop');
    const { thread: child, task } = history.post('shop', {}, { parent });
    const worker = history.worker('dev-1');
    history.complete(task, worker);
    history.complete(above, worker);
    await history.commit(store);
    assert.equal((await store.childrenOf(parent)).length, 1);
    const shut = history.shut.get(child);
    assert.ok(shut && history.shut.has(parent));

    history.record({ type: 'ThreadReopened', thread: { ...shut, parent: null } });
    history.join(child);
    await history.commit(store);
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
    assert.equal((await store.threadsById([child]))[0]?.thread.parent, null);
    assert.deepEqual(await store.childrenOf(parent), []);
  });

  test('a run that waits for an approval still waits after loading, and can be resumed', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const { task } = history.post('shop');
    const run = history.claim(task, history.worker('dev-1'));
    history.record({ type: 'RunStarted', run }).record({ type: 'RunAwaitingApproval', run });
    const since = history.board.runs.get(run)?.awaitingApprovalSince;
    await history.commit(store);

    const waits = { is: 'awaiting_approval', since, run };
    const states = async () => [
      history.board.tasks.get(task)?.state,
      (await boardOf(store)).tasks.get(task)?.state,
      (await store.tasksById([task]))[0]?.task.state,
      (await store.tasks({ states: ['awaiting_approval'], limit: 5 })).rows[0]?.task.state,
    ];
    assert.deepEqual(await states(), [waits, waits, waits, waits]);
    assertSameBoard(await boardOf(store), history.board);
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);

    history.record({ type: 'RunResumed', run });
    await history.commit(store);
    const runs = { is: 'running', since: history.board.runs.get(run)?.startedAt, run };
    assert.deepEqual(await states(), [runs, runs, runs, undefined]);
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
  });

  test('loading the board does not change the store', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    history.post('shop');
    await history.commit(store);
    const first = describeBoard(await boardOf(store));
    assert.equal(describeBoard(await boardOf(store)), first);
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
  });

  test('the loaded board equals the board that was saved', async () => {
    let held = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      await using written = await opened(open);
      const { history, store } = written;
      const roll = dice(seed);
      settleIn(history);
      for (let n = 0; n < 150; n += 1) {
        wander(history, roll);
        if (roll() < 0.2) await history.commit(store);
      }
      await history.commit(store);
      assertSameBoard(await boardOf(store), history.board);
      held += [...history.board.tasks.values()].filter(({ state }) => isHeld(state)).length;
    }
    assert.equal(held > 10, true, 'the histories contain too few held tasks to prove anything');
  });

  test('a loaded board evolves like the board that was saved', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const roll = dice(99);
    settleIn(history);
    for (let n = 0; n < 100; n += 1) wander(history, roll);
    await history.commit(store);
    const after = (await store.head()).seq;
    const board = await boardOf(store);

    for (let n = 0; n < 100; n += 1) wander(history, roll);
    await history.commit(store);
    for (const recorded of (await store.events({ after, limit: 1_000 })).rows)
      evolve(board, recorded);
    board.commit();

    assertSameBoard(board, history.board);
  });

  test('the tables are the fold of the events', async () => {
    for (let seed = 1; seed <= 6; seed += 1) {
      await using written = await opened(open);
      const { history, store } = written;
      const roll = dice(seed * 7);
      everyEvent(history);
      for (let n = 0; n < 200; n += 1) {
        wander(history, roll);
        if (roll() < 0.3) await history.commit(store);
      }
      await history.commit(store);
      assert.deepEqual(await verifyTables(store, createMemoryTables()), [], `seed ${seed}`);
      const { board } = await rebuild(store, createMemoryTables(), 0);
      assertSameBoard(board, history.board);
    }
  });

  test('the dump contains rows of every table, each once', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    everyEvent(history);
    askAbout(history, history.claim(history.post('shop').task, history.worker('dev-1')));
    await history.commit(store);
    const lines = await dumpOf(store);
    assert.deepEqual([...new Set(lines.map(([table]) => table))], [...ORDER, 'note']);
    const names = lines.map(([table, key]) => `${table} ${key}`);
    assert.equal(new Set(names).size, names.length);
    for (const [, , value] of lines) assert.equal(typeof JSON.parse(value), 'object');
  });

  test('each commit adds one link to the log, and the chain verifies', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    everyEvent(history);
    const first = await history.commit(store);
    history.post('shop');
    const second = await history.commit(store);

    const sealed = await store.sealed(0, 1_000);
    const links = sealed.filter(({ link }) => link !== null);
    assert.deepEqual(
      links.map(({ seq, link }) => ({ seq, link })),
      [first, second],
    );
    const chain = verifyChain(NO_HEAD);
    assert.equal(chain.follow(sealed) ?? chain.finish(), undefined);
    assert.deepEqual(chain.head(), second);
    assert.deepEqual(await store.sealed(first.seq, 1), sealed.slice(first.seq, first.seq + 1));
  });
}
