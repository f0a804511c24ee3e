import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { SETTINGS, TYPE_SETTINGS } from '../../test/support/board-fixture.ts';
import { createFaultyStore, type FaultyStore } from '../../test/support/faulty-store.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createMemoryStore } from '../adapters/memory/store.ts';
import { Board } from '../domain/board.ts';
import type { HallEvent } from '../domain/event.ts';
import type { WorkerId } from '../domain/ids.ts';
import { deregister } from '../domain/lost-worker.ts';
import { DEFAULT_INSTANCE_SETTINGS } from '../domain/pool.ts';
import { type Posting, post } from '../domain/posting.ts';
import { isRefusal } from '../domain/refusal.ts';
import { drainWorker, register } from '../domain/registering.ts';
import { NO_HEAD } from '../ports/store.ts';
import { Writer } from './writer.ts';

const meta = { actor: 'operator:ada', cause: 'test' };

let store: FaultyStore;
let clock: ReturnType<typeof createManualClock>;
let writer: Writer;
let isAssured: boolean;

beforeEach(async () => {
  store = createFaultyStore(createMemoryStore());
  clock = createManualClock();
  isAssured = true;
  writer = new Writer({
    store,
    clock,
    board: new Board(),
    head: NO_HEAD,
    epoch: 0,
    isAssured: () => isAssured,
    savedHeartbeats: () => [],
    committed: () => undefined,
    lost: () => undefined,
  });
  await change([
    {
      type: 'ProjectSet',
      project: { name: 'shop', settings: SETTINGS, declared: null, paused: null, addedAt: 0 },
    },
    { type: 'TypeSet', agentType: { name: 'dev', settings: TYPE_SETTINGS, declared: null } },
    instance('dev', []),
    instance('css', ['css']),
    instance('both', ['css', 'sql']),
  ]);
});

function change(events: readonly HallEvent[]) {
  return writer.change({ meta, decide: () => ({ answer: true, events }) });
}

function instance(name: string, matchLabels: readonly string[]): HallEvent {
  const settings = { ...DEFAULT_INSTANCE_SETTINGS, parallel: 0, matchLabels };
  const times = { addedAt: 0, changedAt: 0 };
  return { type: 'InstanceSet', instance: { name, type: 'dev', settings, paused: null, ...times } };
}

async function join(name: string): Promise<WorkerId> {
  const asked = { instance: name, projects: null, bringsModel: true, tokenHash: '', host: null };
  const id = await writer.change({ meta, decide: (board, now) => register(board, asked, now) });
  return id as WorkerId;
}

function postTasks(count: number, labels: readonly string[] = []) {
  const plain = { type: null, agent: null, size: null, ref: null, parent: null, dependsOn: [] };
  const posting: Posting = {
    ...plain,
    project: 'shop',
    title: 'a task',
    body: '',
    skill: 'implement',
    labels,
  };
  const postings = Array.from({ length: count }, () => posting);
  return writer.change({
    meta,
    decide: (board, now, recalled) => post(board, recalled, postings, now),
  });
}

function poll(worker: WorkerId) {
  return writer.claim({ meta, worker, wait: 60_000 });
}

async function turns(count = 30): Promise<void> {
  for (let n = 0; n < count; n += 1) await undefined;
}

describe('waiting workers', () => {
  test('waiting workers are checked again once the better-matching worker has a task', async () => {
    const css = poll(await join('css'));
    const both = poll(await join('both'));
    await turns();
    await postTasks(2, ['css', 'sql']);

    assert.ok(!isRefusal(await both.claimed));
    assert.ok(!isRefusal(await css.claimed));
  });

  test('waiting workers do not yield to a better-matching worker that is draining', async () => {
    const specialist = await join('both');
    poll(specialist);
    const css = poll(await join('css'));
    await turns();
    await writer.change({ meta, decide: (board) => drainWorker(board, specialist) });
    await postTasks(1, ['css', 'sql']);

    assert.ok(!isRefusal(await css.claimed));
  });

  test('waiting workers learn at once that they are draining or dismissed', async () => {
    const [draining, dismissed] = [await join('dev'), await join('dev')];
    const polls = [poll(draining), poll(dismissed)];
    await turns();
    await writer.change({ meta, decide: (board) => drainWorker(board, draining) });
    await writer.change({
      meta,
      decide: (board, now) => deregister(board, dismissed, 'silent', now),
    });

    const told = await Promise.all(polls.map(({ claimed }) => claimed));
    assert.deepEqual(
      told.map((each) => isRefusal(each) && each.refused),
      ['worker_draining', 'unknown_worker'],
    );
    assert.equal(writer.waiters.size, 0);
  });

  test('every poll of a waiting worker returns its claim, because an earlier response may be lost', async () => {
    const worker = await join('dev');
    const polls = [poll(worker), poll(worker)];
    await turns();
    await postTasks(1);

    const [first, second] = await Promise.all(polls.map(({ claimed }) => claimed));
    assert.ok(first && !isRefusal(first));
    assert.deepEqual(second, first);
    assert.equal(writer.waiters.size, 0);
  });

  test('a waiting worker is not queued twice after its commit was refused and repeated', async () => {
    const worker = await join('dev');
    store.failNext('refuse');
    const other = postTasks(1, ['css']);
    const { changed, next } = writer.changeThenClaim(
      { meta, decide: () => ({ answer: true, events: [] }) },
      { meta, worker, wait: 60_000 },
    );
    await Promise.all([other, changed]);
    assert.equal(writer.waiters.size, 1);
    await postTasks(1);

    const given = await next()?.claimed;
    assert.ok(given && !isRefusal(given));
  });

  test('a broken store leaves no unhandled rejection of a waiting worker', async () => {
    const worker = await join('dev');
    const unseen: unknown[] = [];
    const note = (reason: unknown) => unseen.push(reason);
    process.on('unhandledRejection', note);
    store.failNext('break');
    const { changed } = writer.changeThenClaim(
      { meta, decide: () => ({ answer: true, events: [instance('more', [])] }) },
      { meta, worker, wait: 60_000 },
    );
    await assert.rejects(changed, { name: 'StoreFailed' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);

    assert.deepEqual(unseen, []);
  });
});

describe('a writer', () => {
  test('a writer can be stopped while it is under load', async () => {
    const changes = [postTasks(1), postTasks(1)];
    await writer.idle();
    writer.stop(new Error('stopped'));

    await Promise.all(changes);
  });

  test('a writer writes no further part of a group after the disk failed', async () => {
    store.failNext('refuse');
    const changes = [postTasks(1), postTasks(1), postTasks(1)];
    await turns(3);
    store.failNext('break');
    const ends = await Promise.allSettled(changes);

    assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set(['rejected']));
    assert.equal(writer.board.tasks.size, 0);
  });

  test('a writer that may have lost leadership checks the store before it refuses', async () => {
    const written = store.written.length;
    await writer.claim({ meta, worker: 999 as WorkerId, wait: 0 }).claimed;
    assert.equal(store.written.length, written);

    isAssured = false;
    await writer.claim({ meta, worker: 999 as WorkerId, wait: 0 }).claimed;
    assert.equal(store.written.length, written + 1);
  });
});
