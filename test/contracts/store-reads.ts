import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunId, TaskId, ThreadId, WorkerId } from '../../src/domain/ids.ts';
import { type History, NINE } from '../support/history.ts';
import { opened } from '../support/opened-store.ts';
import { dice, everyEvent, settleIn, wander } from '../support/story.ts';
import type { OpenStore } from './store.contract.ts';

/** Two tasks in one thread; a run holds the first. */
function oneHeld(history: History) {
  const words = { title: 'First', body: 'Words of the first' };
  const { task: held, thread } = history.post('shop', words, { labels: ['area:css'] });
  const waiting = history.join(thread, { title: 'Second', skill: 'review' });
  const worker = history.worker('dev-1');
  const run = history.claim(held, worker);
  return { thread, held, waiting, worker, run };
}

export function storeReads(open: OpenStore): void {
  test('tasks are found by id with their texts, in the requested order, without unknown ones', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { held, waiting, run } = oneHeld(settleIn(history));
    await history.commit(store);

    const found = await store.tasksById([waiting, 999 as TaskId, held]);
    assert.deepEqual(
      found.map(({ task, title, body }) => [task.id, title, body]),
      [
        [waiting, 'Second', ''],
        [held, 'First', 'Words of the first'],
      ],
    );
    assert.deepEqual(found[0]?.task, history.board.tasks.get(waiting));
    assert.deepEqual(found[1]?.task.state, { is: 'claimed', since: history.at, run });
    assert.deepEqual(await store.tasksById([]), []);
  });

  test('the texts of tasks are found by id as last edited, including edits of the latest group', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { held, waiting } = oneHeld(settleIn(history));
    await history.commit(store);
    const ids = [held, waiting, 999 as TaskId];
    const first = { title: 'First', body: 'Words of the first' };
    const second = { title: 'Second', body: '' };
    assert.deepEqual(
      await store.textsOf(ids),
      new Map([
        [held, first],
        [waiting, second],
      ]),
    );

    await store.tasksById(ids);
    history.record({ type: 'TaskEdited', task: waiting, change: { title: 'Last' } });
    await history.commit(store);
    assert.deepEqual((await store.textsOf(ids)).get(waiting), { title: 'Last', body: '' });
    history.record({ type: 'TaskEdited', task: waiting, change: { body: 'Words' } });
    await history.commit(store);
    assert.deepEqual((await store.textsOf(ids)).get(waiting), { title: 'Last', body: 'Words' });
    assert.equal((await store.textsOf([])).size, 0);
  });

  test('texts with unstorable characters read the same before and after their rows are written', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { waiting } = oneHeld(settleIn(history));
    const change = { title: 'a\0b', body: 'half \ud800' };
    history.record({ type: 'TaskEdited', task: waiting, change });
    await history.commit(store);
    const words = await store.textsOf([waiting]);
    assert.deepEqual(words.get(waiting), { title: 'a\ufffdb', body: 'half \ufffd' });
    await store.tasksById([waiting]);
    assert.deepEqual(await store.textsOf([waiting]), words);
  });

  test('tasks, threads, runs and workers are read as the fold left them', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    everyEvent(history);
    const roll = dice(5);
    for (let n = 0; n < 150; n += 1) wander(history, roll);
    await history.commit(store);
    const { tasks, threads, runs, workers } = history.board;
    for (const { task } of await store.tasksById([...tasks.keys()])) {
      assert.deepEqual(task, tasks.get(task.id));
    }
    for (const { thread } of await store.threadsById([...threads.keys()])) {
      assert.deepEqual(thread, threads.get(thread.id));
    }
    for (const thread of await store.threadsById([...history.shut.keys()])) {
      assert.deepEqual(thread.thread, history.shut.get(thread.thread.id));
    }
    for (const run of runs.values()) assert.deepEqual(await store.run(run.id), run);
    for (const worker of workers.values()) {
      assert.deepEqual(await store.worker(worker.id), worker);
    }
  });

  test('a task is running once its run starts, and has the state that the run left once it ends', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { held, run } = oneHeld(settleIn(history));
    const stateNow = async () => {
      await history.commit(store);
      return (await store.tasksById([held]))[0]?.task.state;
    };
    assert.equal((await stateNow())?.is, 'claimed');
    history.record({ type: 'RunStarted', run });
    assert.deepEqual(await stateNow(), { is: 'running', since: history.at, run });
    history.end(run, { at: history.at, how: 'released', because: 'drained' });
    assert.deepEqual(await stateNow(), { is: 'available', since: history.at - 1_000 });
  });

  test('edited titles and bodies replace the old ones independently', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { held, waiting, thread } = oneHeld(settleIn(history));
    await history.commit(store);
    history.record({ type: 'TaskEdited', task: held, change: { body: '' } });
    history.record({ type: 'TaskEdited', task: waiting, change: { title: 'Third', body: 'More' } });
    history.record({ type: 'ThreadChanged', thread, change: { title: 'Other' } });
    history.record({ type: 'ThreadChanged', thread, change: { labels: [] } });
    await history.commit(store);
    const found = await store.tasksById([held, waiting]);
    assert.deepEqual(
      found.map(({ title, body }) => [title, body]),
      [
        ['First', ''],
        ['Third', 'More'],
      ],
    );
    assert.equal((await store.threadsById([thread]))[0]?.title, 'Other');
  });

  test('unstorable characters in texts are replaced, and the event keeps the original', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const { task, thread } = history.post('shop', {
      title: 'half \ud83d of a pair',
      body: 'NUL \0 and 😀',
    });
    const run = 1 as RunId;
    await history.commit(store, { log: [{ run, n: 1, at: NINE, text: 'a\0b\udc00' }] });
    const [found] = await store.tasksById([task]);
    assert.deepEqual([found?.title, found?.body], ['half \ufffd of a pair', 'NUL \ufffd and 😀']);
    assert.equal((await store.threadsById([thread]))[0]?.title, 'half \ufffd of a pair');
    assert.equal((await store.log(run, 0, 1))[0]?.text, 'a\ufffdb\ufffd');
    const posted = (await store.events({ task, limit: 1 })).rows[0]?.event;
    assert.equal(posted?.type === 'TaskPosted' && posted.task.title, 'half \ud83d of a pair');
  });

  test('a thread is read with its open tasks, and tasksOfThread also returns ended ones', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { thread, held, waiting, run } = oneHeld(settleIn(history));
    history.end(run, { at: history.at, how: 'failed', reason: 'timeout', result: NO_RESULT });
    await history.commit(store);

    const [record] = await store.threadsById([thread, 999 as ThreadId]);
    assert.deepEqual([record?.title, record?.thread.tasks], ['First', [waiting]]);
    const tasks = await store.tasksOfThread(thread);
    assert.deepEqual(
      tasks.map(({ task, title }) => [task.id, title, task.state.is]),
      [
        [held, 'First', 'failed'],
        [waiting, 'Second', 'available'],
      ],
    );
  });

  test('the children of a thread are found in the order they were posted', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const { thread: parent } = history.post('shop');
    const children = [1, 2, 3].map(() => history.post('shop', {}, { parent }).thread);
    history.post('shop');
    await history.commit(store);
    const found = await store.childrenOf(parent);
    assert.deepEqual(
      found.map(({ thread }) => thread.id),
      children,
    );
    assert.deepEqual((await store.threadsById([parent]))[0]?.thread.children, 3);
  });

  test('runs are found by id and by task, including ended ones', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { held, run, worker } = oneHeld(settleIn(history));
    history.end(run, { at: history.at, how: 'lost', because: 'silent' });
    const second = history.claim(held, worker, 'ada');
    await history.commit(store);
    const runs = await store.runsOfTask(held);
    assert.deepEqual(
      runs.map(({ id, ending }) => [id, ending?.how]),
      [
        [run, 'lost'],
        [second, undefined],
      ],
    );
    assert.deepEqual(await store.run(second), history.board.runs.get(second));
    assert.equal(await store.run(999 as RunId), undefined);
  });

  test('workers are found by id, including deregistered ones', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const worker = history.worker('dev-1');
    history.record({ type: 'WorkerDeregistered', worker, because: 'it left' });
    await history.commit(store);
    assert.deepEqual((await store.worker(worker))?.deregistered, {
      at: history.at,
      because: 'it left',
    });
    assert.equal(await store.worker(999 as WorkerId), undefined);
  });

  test('notes of a thread are read in order', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { thread, held, run } = oneHeld(settleIn(history));
    history.record({ type: 'NoteAdded', run, note: 'slow tests' }, 'w-1');
    history.end(run, { at: history.at, how: 'asked', question: 'Which?', session: null });
    const state = { is: 'available', since: history.at } as const;
    history.record({ type: 'TaskAnswered', task: held, state, answer: 'Both' }, 'bob');
    await history.commit(store);
    const notes = await store.notesOfThread(thread);
    assert.deepEqual(
      notes.map(({ kind, text, by, task }) => [kind, text, by, task]),
      [
        ['note', 'slow tests', 'w-1', held],
        ['question', 'Which?', 'ada', held],
        ['answer', 'Both', 'bob', held],
      ],
    );
  });

  test('work before a claim is the notes of the thread and the ended runs of the task', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { thread, held, waiting, run, worker } = oneHeld(settleIn(history));
    await history.commit(store);
    assert.deepEqual(await store.workBefore(thread, held), { notes: [], runs: [] });
    history.record({ type: 'NoteAdded', run, note: 'slow tests' }, 'w-1');
    await history.commit(store);
    assert.deepEqual(await textsBefore(), { notes: ['slow tests'], runs: [] });
    history.end(run, { at: history.at, how: 'lost', because: 'silent' });
    await history.commit(store);
    history.claim(held, worker, 'ada');
    await history.commit(store);
    assert.deepEqual(await textsBefore(), { notes: ['slow tests'], runs: [[run, 'lost']] });
    assert.deepEqual((await store.workBefore(thread, waiting)).runs, []);

    async function textsBefore() {
      const { notes, runs } = await store.workBefore(thread, held);
      return {
        notes: notes.map(({ text }) => text),
        runs: runs.map(({ id, ending }) => [id, ending?.how]),
      };
    }
  });

  test('recall finds responses, tasks, threads and runs, open or closed, and leaves out unknown ones', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { thread, held, waiting, run } = oneHeld(settleIn(history));
    const answer = { key: 'k', request: 'r', status: 200, body: '{}', at: NINE };
    history.end(run, { at: history.at, how: 'cancelled', because: 'not needed' });
    await history.commit(store, { responses: [answer] });
    const recalled = await store.recall({
      responses: ['k', 'unknown'],
      tasks: [held, waiting, 999 as TaskId],
      threads: [thread, 999 as ThreadId],
      runs: [run, 999 as RunId],
    });
    assert.deepEqual([...recalled.responses.entries()], [['k', answer]]);
    assert.deepEqual([...recalled.tasks.keys()], [held, waiting]);
    assert.equal(recalled.tasks.get(held)?.state.is, 'cancelled');
    assert.deepEqual(recalled.threads.get(thread), history.board.threads.get(thread));
    assert.equal(recalled.runs.get(run)?.ending?.how, 'cancelled');
    assert.equal(recalled.runs.size, 1);
    const nothing = await store.recall({});
    assert.equal(nothing.responses.size + nothing.tasks.size + nothing.runs.size, 0);
  });

  test('the log of a run is read from a given entry on, oldest first, with its size', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { run } = oneHeld(settleIn(history));
    const entry = (n: number, text: string) => ({ run, n, at: NINE + n, text });
    const log = [entry(1, 'one'), entry(2, 'zwei 😀'), entry(3, 'three')];
    await history.commit(store, { log: log.slice(0, 2) });
    await history.commit(store, { log: [...log.slice(2), { ...entry(1, 'x'), run: 1 as RunId }] });
    assert.deepEqual(await store.log(run, 0, 10), log);
    assert.deepEqual(await store.log(run, 1, 1), log.slice(1, 2));
    assert.deepEqual(await store.log(run, 3, 10), []);
    assert.deepEqual(await store.logSize(run), { last: 3, characters: 3 + 6 + 5 });
    assert.deepEqual(await store.logSize(999 as RunId), { last: 0, characters: 0 });
  });

  test('reads can run while the writer commits', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const { held, run } = oneHeld(settleIn(history));
    await history.commit(store);
    for (let n = 0; n < 20; n += 1) {
      history.record({ type: 'NoteAdded', run, note: `note ${n}` });
      const [head, [record], page] = await Promise.all([
        history.commit(store),
        store.tasksById([held]),
        store.events({ newestFirst: true, limit: 1 }),
      ]);
      assert.equal(record?.task.state.is, 'claimed');
      assert.equal([head.seq, head.seq - 1].includes(page.rows[0]?.seq ?? 0), true);
    }
  });
}

const NO_RESULT = { summary: '', branch: null, commit: null, pr: null, details: null };
