import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recorded } from '../../src/domain/event.ts';
import type { TaskId, ThreadId } from '../../src/domain/ids.ts';
import { TASK_STATES } from '../../src/domain/task.ts';
import type { EventQuery, Store, TaskQuery } from '../../src/ports/store.ts';
import type { History } from '../support/history.ts';
import { allPages, indexAll, numbersOf, opened } from '../support/opened-store.ts';
import { dice, everyEvent, settleIn, wander } from '../support/story.ts';
import type { OpenStore } from './store.contract.ts';

/** More rows than a store scans for one page. */
const MANY = 20_500;

async function wandered(history: History, store: Store): Promise<readonly TaskId[]> {
  const roll = dice(17);
  everyEvent(history);
  for (let n = 0; n < 400; n += 1) wander(history, roll);
  history.post('shop', { state: { is: 'proposed', since: history.at } });
  for (const project of ['shop', 'docs', 'docs']) {
    const run = history.claim(history.post(project).task, history.worker('dev-1'));
    if (roll() < 0.5) history.record({ type: 'RunStarted', run });
  }
  await history.commit(store);
  await indexAll(store);
  const posted = await store.events({ types: ['TaskPosted'], limit: 1_000 });
  return posted.rows.map(({ seq }) => seq as TaskId);
}

function hasWord(text: string, word: string): boolean {
  return text.split(/\W+/).some((each) => each.toLowerCase().startsWith(word.toLowerCase()));
}

function taskPages(store: Store, query: Omit<TaskQuery, 'limit'>, limit: number) {
  return allPages((before) =>
    store.tasks({ ...query, limit, ...(before !== undefined && { before: before as TaskId }) }),
  );
}

const QUERIES: readonly Omit<TaskQuery, 'limit'>[] = [
  {},
  { project: 'shop' },
  { project: 'nowhere' },
  { type: 'reviewer' },
  { text: 'EDITED' },
  { text: 'and' },
  { project: 'docs', type: 'dev', text: 'edited' },
  { states: [] },
  ...TASK_STATES.map((state) => ({ states: [state] })),
  { states: ['claimed', 'running'] },
  { states: ['failed', 'rejected', 'cancelled'] },
  { states: ['failed', 'cancelled'], project: 'shop' },
  { states: ['completed', 'failed'] },
  { states: ['available', 'running', 'blocked'] },
  { states: ['available'], project: 'shop', type: 'dev' },
  { states: ['running'], project: 'docs' },
  { states: TASK_STATES },
];

export function storePages(open: OpenStore): void {
  test('pages of tasks are newest first and together contain each match once', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const records = await store.tasksById(await wandered(history, store));
    for (const query of QUERIES) {
      const { project, type, states, text } = query;
      const expected = records
        .filter(({ task }) => project === undefined || task.project === project)
        .filter(({ task }) => type === undefined || task.type === type)
        .filter(({ task }) => states === undefined || states.includes(task.state.is))
        .filter(({ title, body }) => hasWord(`${title} ${body}`, text ?? ''))
        .reverse();
      for (const limit of [1, 7, 1_000]) {
        const pages = await taskPages(store, query, limit);
        assert.deepEqual(pages.flat(), expected, JSON.stringify({ query, limit }));
        assert.equal(
          pages.every((rows) => rows.length <= limit),
          true,
        );
      }
    }
  });

  test('the history used for paging has tasks in most states', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const records = await store.tasksById(await wandered(history, store));
    assert.equal(new Set(records.map(({ task }) => task.state.is)).size >= 10, true);
  });

  test('pages of threads are newest first, with or without a project filter', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    await wandered(history, store);
    const posted = await store.events({ types: ['TaskPosted'], limit: 1_000 });
    const ids = posted.rows.flatMap(({ event, seq }) =>
      event.type === 'TaskPosted' && event.opens ? [seq as ThreadId] : [],
    );
    const all = await store.threadsById(ids);
    for (const project of [undefined, 'shop', 'docs', 'nowhere']) {
      const expected = all
        .filter(({ thread }) => project === undefined || thread.project === project)
        .reverse();
      for (const limit of [3, 1_000]) {
        const pages = await allPages((before) =>
          store.threads({
            limit,
            ...(project !== undefined && { project }),
            ...(before !== undefined && { before: before as never }),
          }),
        );
        assert.deepEqual(pages.flat(), expected);
      }
    }
  });

  test('events are read in order, oldest or newest first, by task, type and range, and in pages', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    await wandered(history, store);
    const all = (await store.events({ limit: 10_000 })).rows;
    assert.deepEqual(
      numbersOf(all),
      Array.from({ length: history.board.seq }, (_, n) => n + 1),
    );
    const types = ['TaskPosted', 'RunEnded'];
    const runs = new Map((await openRuns(store, all)).map((run) => [run.id as number, run]));
    const aboutTask = (id: TaskId) => all.filter((recorded) => taskOf(recorded, runs) === id);
    const busiest = all.findLast(({ event }) => event.type === 'RunEnded');
    const task = taskOf(busiest as Recorded, runs) as TaskId;
    const filters: readonly [Omit<EventQuery, 'limit'>, readonly Recorded[]][] = [
      [{}, all],
      [{ after: 10, before: 50 }, all.slice(10, 49)],
      [{ types }, all.filter(({ event }) => types.includes(event.type))],
      [{ types: [] }, []],
      [{ task }, aboutTask(task)],
      [{ task, types }, aboutTask(task).filter(({ event }) => types.includes(event.type))],
      [{ task, after: task }, aboutTask(task).slice(1)],
      [{ task: 999_999 as TaskId }, []],
    ];
    for (const [query, expected] of filters) {
      assert.deepEqual(await eventPages(store, query, 9), expected, JSON.stringify(query));
      const newest = await eventPages(store, { ...query, newestFirst: true }, 9);
      assert.deepEqual(newest, expected.toReversed(), JSON.stringify(query));
    }
  });

  test('events about a project are found by the project filter', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const { task, thread } = history.post('docs');
    const run = history.claim(task, history.worker('dev-1'));
    await history.commit(store);
    history.record({ type: 'RunStarted', run });
    await history.commit(store);
    history.record({ type: 'NoteAdded', run, note: 'hm' });
    await history.commit(store);
    history.record({ type: 'LabelsUnmatched', task, because: 'nobody' });
    await history.commit(store);
    history.record({ type: 'ThreadChanged', thread, change: { size: 'L' } });
    history.end(run, { at: history.at, how: 'released', because: 'drained' });
    history.record({ type: 'ProjectPaused', project: 'docs', pause: PAUSE });
    await history.commit(store);
    const types = async (project: string) =>
      (await store.events({ project, limit: 100 })).rows.map(({ event }) => event.type);
    assert.deepEqual(await types('docs'), [
      'ProjectSet',
      'TaskPosted',
      'RunClaimed',
      'RunStarted',
      'NoteAdded',
      'LabelsUnmatched',
      'ThreadChanged',
      'RunEnded',
      'ProjectPaused',
    ]);
    assert.deepEqual(await types('shop'), ['ProjectSet']);
    const ofTask = (await store.events({ task, limit: 100 })).rows.map(({ event }) => event.type);
    assert.deepEqual(ofTask, [
      'TaskPosted',
      'RunClaimed',
      'RunStarted',
      'NoteAdded',
      'LabelsUnmatched',
      'RunEnded',
    ]);
  });

  test('seqAt finds the last event at or before a time', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    assert.equal(await store.seqAt(history.at), 0);
    settleIn(history);
    await history.commit(store);
    const { rows } = await store.events({ limit: 100 });
    for (const { seq, at } of rows) {
      assert.equal(await store.seqAt(at), seq);
      assert.equal(await store.seqAt(at - 1), seq - 1);
      assert.equal(await store.seqAt(at + 999), seq);
    }
    assert.equal(await store.seqAt(Number.MAX_SAFE_INTEGER), history.board.seq);
  });

  test('seqAt finds a place where the log passes a time, even if the clock was set back', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    history.at -= 3_600_000;
    for (let n = 0; n < 20; n += 1) history.post('shop');
    await history.commit(store);
    const { rows } = await store.events({ limit: 100 });
    for (const { at } of rows) {
      const seq = await store.seqAt(at);
      const here = seq === 0 ? 0 : (rows[seq - 1]?.at ?? 0);
      assert.equal(here <= at, true);
      assert.equal((rows[seq]?.at ?? Number.MAX_SAFE_INTEGER) > at, true);
    }
  });

  test('a page scans a bounded number of rows and returns where to continue', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const { task: rare } = history.post('shop', { title: 'A needle in the hay', skill: 'review' });
    await history.commit(store);
    for (let n = 0; n < MANY; n += 10) {
      const { thread } = history.post('shop', HAY);
      for (let more = 1; more < 10; more += 1) history.join(thread, HAY);
    }
    await history.commit(store);
    await indexAll(store);
    const [needle] = (await store.tasks({ text: 'needle', limit: 5 })).rows;
    assert.equal(needle?.task.id, rare);

    for (const query of [
      { type: 'reviewer' },
      { text: 'hay', type: 'reviewer' },
      { text: 'hay', type: 'reviewer', project: 'shop' },
    ]) {
      const first = await store.tasks({ ...query, limit: 5 });
      assert.deepEqual(first.rows, []);
      assert.notEqual(first.next, undefined);
      const pages = await taskPages(store, query, 5);
      assert.deepEqual(
        pages.flat().map(({ task }) => task.id),
        [rare],
      );
    }
    const types = ['ProjectSet'];
    const first = await store.events({ types, newestFirst: true, limit: 5 });
    assert.deepEqual(first.rows, []);
    assert.notEqual(first.next, undefined);
    assert.equal((await eventPages(store, { types, newestFirst: true }, 5)).length, 2);
    assert.equal((await eventPages(store, { types: ['Nothing'] }, 5)).length, 0);
  });
}

const PAUSE = { since: 1, by: 'ada', because: null };
const HAY = { title: 'Hay', body: '', state: { is: 'proposed', since: 1 } } as const;

async function eventPages(store: Store, query: Omit<EventQuery, 'limit'>, limit: number) {
  const pages = await allPages((from) => {
    const on = query.newestFirst ? { before: from } : { after: from };
    return store.events({ ...query, limit, ...(from !== undefined && on) } as EventQuery);
  });
  assert.equal(
    pages.every((rows) => rows.length <= limit),
    true,
  );
  return pages.flat();
}

async function openRuns(store: Store, all: readonly Recorded[]) {
  const ids = all.flatMap(({ event }) => (event.type === 'RunClaimed' ? [event.run.id] : []));
  return [...(await store.recall({ runs: ids })).runs.values()];
}

function taskOf({ event }: Recorded, runs: ReadonlyMap<number, { task: TaskId }>) {
  if (event.type === 'TaskPosted') return event.task.id;
  if (event.type === 'RunClaimed') return event.run.task;
  if ('run' in event) return runs.get(event.run as number)?.task;
  return 'task' in event ? event.task : undefined;
}
