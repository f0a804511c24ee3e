import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { History, RESULT } from '../../test/support/history.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { settleIn } from '../../test/support/story.ts';
import { createMemoryStore } from '../adapters/memory/store.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Facts } from '../ports/log.ts';
import { type IndexChange, type Store, StoreFull } from '../ports/store.ts';
import { SearchIndexer } from './search-indexer.ts';

const TICK = 1_000;

interface Fixture {
  readonly history: History;
  readonly store: Store;
  readonly errors: readonly Facts[];
  /** What was written to the index. */
  readonly written: readonly IndexChange[];
  start(): SearchIndexer;
  commit(): Promise<void>;
  pass(milliseconds: number): Promise<void>;
  find(text: string): Promise<readonly TaskId[]>;
}

interface Slow {
  /** How long one write takes. */
  readonly writeTakes: number;
}

function fixture(
  index?: (change: IndexChange) => Promise<boolean>,
  { writeTakes }: Slow = { writeTakes: 0 },
): Fixture {
  const history = settleIn(new History());
  const inner = createMemoryStore();
  const written: IndexChange[] = [];
  const errors: Facts[] = [];
  const store: Store = {
    ...inner,
    async index(change) {
      written.push(change);
      clock.pass(writeTakes);
      return index ? index(change) : inner.index(change);
    },
  };
  const clock = createManualClock();
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_: string, facts?: Facts) => void errors.push(facts ?? {}),
  };
  let indexer: SearchIndexer | undefined;
  return {
    history,
    store,
    errors,
    written,
    start() {
      indexer = new SearchIndexer({ store, clock, log, end: history.head.seq, tick: TICK });
      return indexer;
    },
    async commit() {
      const group = history.group();
      history.head = await store.append(group);
      indexer?.committed(group.events);
    },
    async pass(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 10) {
        clock.pass(10);
        for (let n = 0; n < 50; n += 1) await undefined;
      }
    },
    async find(text) {
      return (await inner.tasks({ text, limit: 100 })).rows.map(({ task }) => task.id);
    },
  };
}

describe('the search index', () => {
  test('a posted task can be found a tenth of a tick after its commit', async () => {
    const { history, commit, pass, find, start } = fixture();
    await commit();
    const indexer = start();
    await pass(50);
    const { task } = history.post('shop', { title: 'Paint the door' });
    await commit();
    assert.deepEqual(await find('door'), []);
    assert.equal(indexer.reach.indexedTo < indexer.reach.logEnd, true);
    await pass(110);
    assert.deepEqual(await find('door'), [task]);
    assert.deepEqual(indexer.reach, { indexedTo: task, logEnd: task });
  });

  test('an indexer finds in the log what was committed while none was running', async () => {
    const { history, store, commit, pass, find, start } = fixture();
    const tasks = Array.from({ length: 100 }, (_, n) => history.post('shop', { title: `A ${n}` }));
    history.record({ type: 'TaskEdited', task: tasks[7]?.task as TaskId, change: { title: 'B' } });
    await commit();
    start();
    await pass(200);
    assert.equal((await find('a')).length, 99);
    assert.deepEqual(await find('b'), [tasks[7]?.task]);
    assert.equal(await store.indexedTo(), history.head.seq);
  });

  test('the tasks of a thread are indexed again when a run gives it a branch', async () => {
    const { history, commit, pass, find, start } = fixture();
    start();
    const { task, thread } = history.post('shop');
    const second = history.join(thread);
    const run = history.claim(task, history.worker('dev-1'));
    await commit();
    await pass(200);
    assert.deepEqual(await find('topic'), []);
    const result = { ...RESULT, branch: 'topic/x' };
    history.end(run, { at: history.at, how: 'completed', outcome: 'completed', result });
    await commit();
    await pass(200);
    assert.deepEqual(await find('topic'), [second, task]);
  });

  test('events that no search can find are covered at once, and stored every few ticks', async () => {
    const { history, store, written, commit, pass, start } = fixture();
    await commit();
    const indexer = start();
    await pass(50);
    const before = written.length;
    for (let n = 0; n < 100; n += 1) {
      history.record({ type: 'ProjectPaused', project: 'shop', pause: PAUSE });
      await commit();
      assert.equal(indexer.reach.indexedTo, history.head.seq);
      await pass(100);
    }
    assert.equal(written.length - before, 2);
    await pass(5 * TICK);
    assert.equal(await store.indexedTo(), history.head.seq);
    assert.equal(written.length - before <= 3, true);
    assert.deepEqual(
      written.slice(before).flatMap(({ tasks, threads }) => [...tasks, ...threads]),
      [],
    );
  });

  test('one write takes a bounded number of events and characters', async () => {
    const { history, written, commit, pass, start } = fixture();
    for (let n = 0; n < 100; n += 1) history.post('shop');
    for (let n = 0; n < 10; n += 1) history.post('shop', { body: 'word '.repeat(10_000) });
    await commit();
    start();
    await pass(1_000);
    const sizes = written.map(({ tasks }) => tasks.length);
    assert.equal(Math.max(...sizes), 32);
    assert.equal(sizes.filter((size) => size === 1).length >= 9, true);
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      110,
    );
  });

  for (const [about, commits, writes] of [
    ['a fiftieth of the time while the hall commits changes', true, 12],
    ['half of the time while the hall does nothing else', false, 40],
  ] as const) {
    test(`the index gets ${about}`, async () => {
      const { history, written, commit, pass, start } = fixture(undefined, { writeTakes: 10 });
      for (let n = 0; n < 5_000; n += 1) history.post('shop');
      await commit();
      start();
      for (let passed = 0; passed < 4_000; passed += 20) {
        await pass(20);
        if (!commits) continue;
        history.record({ type: 'ProjectPaused', project: 'shop', pause: PAUSE });
        await commit();
      }
      const { length } = written;
      assert.equal(commits ? length <= writes : length >= writes, true, String(length));
    });
  }

  test('a hall that slept during a write indexes on within five ticks', async () => {
    const { history, commit, pass, find, start } = fixture(undefined, { writeTakes: 3_600_000 });
    for (let n = 0; n < 40; n += 1) history.post('shop', { title: `A ${n}` });
    await commit();
    start();
    await pass(5 * TICK + 100);
    assert.equal((await find('a')).length, 40);
  });

  test('an index that another node moved is read again', async () => {
    const { history, store, commit, pass, find, start } = fixture();
    start();
    const { task } = history.post('shop', { title: 'Paint the door' });
    await commit();
    await pass(200);
    await store.index({ from: await store.indexedTo(), to: 1, tasks: [], threads: [] });
    const { task: later } = history.post('shop', { title: 'Paint the wall' });
    await commit();
    await pass(200);
    assert.deepEqual(await find('paint'), [later, task]);
    assert.equal(await store.indexedTo(), history.head.seq);
  });

  test('an index that is ahead of the log is built again', async () => {
    const { history, store, commit, pass, find, start } = fixture();
    const { task } = history.post('shop', { title: 'Paint the door' });
    await commit();
    await store.index({ from: 0, to: 1_000_000, tasks: [], threads: [] });
    const indexer = start();
    await pass(200);
    assert.deepEqual(await find('door'), [task]);
    assert.equal(await store.indexedTo(), history.head.seq);
    assert.deepEqual(indexer.reach, { indexedTo: history.head.seq, logEnd: history.head.seq });
  });

  for (const [about, fault, logged] of [
    ['no space', new StoreFull('full'), 0],
    ['an unexpected fault', new Error('a bug'), 1],
  ] as const) {
    test(`a write to the index that fails because of ${about} is tried again`, async () => {
      let isFailing = true;
      const { history, store, commit, pass, start, errors } = fixture(async () => {
        if (isFailing) throw fault;
        return true;
      });
      const indexer = start();
      history.post('shop');
      await commit();
      await pass(200);
      assert.deepEqual([indexer.reach.indexedTo, errors.length], [0, logged]);
      isFailing = false;
      await pass(5 * TICK);
      assert.equal(indexer.reach.indexedTo, history.head.seq);
      await store.close();
    });
  }

  test('an indexer that was stopped writes nothing more', async () => {
    const { history, written, commit, pass, start } = fixture();
    const indexer = start();
    history.post('shop');
    await commit();
    await indexer.stop();
    history.post('shop');
    await commit();
    await pass(10 * TICK);
    assert.deepEqual(written, []);
  });
});

const PAUSE = { since: 1, by: 'ada', because: null };
