import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { SETTINGS, TYPE_SETTINGS } from '../../test/support/board-fixture.ts';
import { describeBoard } from '../../test/support/describe-board.ts';
import { createFaultyStore, type FaultyStore } from '../../test/support/faulty-store.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createMemoryStore } from '../adapters/memory/store.ts';
import { Board } from '../domain/board.ts';
import type { Recorded } from '../domain/event.ts';
import type { TaskId, WorkerId } from '../domain/ids.ts';
import { DEFAULT_INSTANCE_SETTINGS } from '../domain/pool.ts';
import { type Posting, post } from '../domain/posting.ts';
import { isRefusal } from '../domain/refusal.ts';
import { register } from '../domain/registering.ts';
import { report } from '../domain/reporting.ts';
import { NO_HEAD, StoreUnavailable } from '../ports/store.ts';
import { loadBoard } from './load-board.ts';
import { isReplayed } from './replay-response.ts';
import { Writer } from './writer.ts';

const meta = { actor: 'operator:ada', cause: 'test' };

let store: FaultyStore;
let clock: ReturnType<typeof createManualClock>;
let writer: Writer;
let told: Recorded[];
let lost: Error | undefined;

beforeEach(async () => {
  store = createFaultyStore(createMemoryStore());
  clock = createManualClock();
  told = [];
  lost = undefined;
  writer = new Writer({
    store,
    clock,
    board: new Board(),
    head: NO_HEAD,
    epoch: 0,
    isAssured: () => true,
    savedHeartbeats: () => [],
    committed: (events) => told.push(...events),
    lost: (fault) => {
      lost = fault;
    },
  });
  await writer.change({ meta, decide: () => ({ answer: true, events: setUp() }) });
});

function setUp() {
  const project = { name: 'shop', settings: SETTINGS, declared: null, paused: null, addedAt: 0 };
  const settings = { ...DEFAULT_INSTANCE_SETTINGS, parallel: 0 };
  const instance = {
    name: 'dev-default',
    type: 'dev',
    settings,
    paused: null,
    addedAt: 0,
    changedAt: 0,
  };
  return [
    { type: 'ProjectSet' as const, project },
    {
      type: 'TypeSet' as const,
      agentType: { name: 'dev', settings: TYPE_SETTINGS, declared: null },
    },
    { type: 'InstanceSet' as const, instance },
  ];
}

function posting(title: string): Posting {
  const plain = { type: null, agent: null, size: null, ref: null, parent: null };
  return {
    project: 'shop',
    title,
    body: '',
    skill: 'implement',
    labels: [],
    dependsOn: [],
    ...plain,
  };
}

async function postTask(title = 'a task'): Promise<TaskId> {
  const posted = await writer.change({
    meta,
    decide: (board, now, recalled) => post(board, recalled, [posting(title)], now),
  });
  assert.ok(Array.isArray(posted));
  return posted[0].task;
}

async function join(): Promise<WorkerId> {
  const asked = {
    instance: 'dev-default',
    projects: null,
    bringsModel: true,
    tokenHash: '',
    host: null,
  };
  const id = await writer.change({ meta, decide: (board, now) => register(board, asked, now) });
  assert.equal(typeof id, 'number');
  return id as WorkerId;
}

async function reloaded(): Promise<string> {
  const board = new Board();
  await loadBoard(store, board);
  return describeBoard(board);
}

const turns = async (count = 20) => {
  for (let n = 0; n < count; n += 1) await undefined;
};

describe('the writer', () => {
  test('the writer answers only after the change is stored', async () => {
    store.hold();
    let answered = false;
    const task = postTask().then(() => {
      answered = true;
    });
    await turns();
    assert.equal(answered, false);

    store.release();
    await task;
    assert.equal(store.written.length, 2);
  });

  test('the writer commits all commands that arrive during a commit together', async () => {
    store.hold();
    const first = postTask();
    await turns();
    const others = [postTask(), postTask(), postTask()];
    await turns();
    store.release();
    await Promise.all([first, ...others]);

    assert.deepEqual(
      store.written.slice(1).map(({ events }) => events.length),
      [1, 3],
    );
  });

  test('the writer repeats its first answer to a repeated request, within a group and after it', async () => {
    const once = { key: 'k', request: 'r', render: () => ({ status: 201, body: 'made' }) };
    const make = () =>
      writer.change({
        meta,
        idempotency: once,
        decide: (board, now, recalled) => post(board, recalled, [posting('once')], now),
      });
    const answers = [...(await Promise.all([make(), make()])), await make()];

    assert.deepEqual(answers.map(isReplayed), [false, true, true]);
    assert.equal(writer.board.tasks.size, 1);
  });

  test('when the store cannot be read, the commands that need it fail and the writer continues', async () => {
    const once = { key: 'k', request: 'r', render: () => ({ status: 200, body: '' }) };
    const change = { meta, idempotency: once, decide: () => ({ answer: true, events: [] }) };
    store.failReads();
    await assert.rejects(writer.change(change), { name: 'StoreUnavailable' });
    assert.equal(lost, undefined);
    assert.equal(typeof (await postTask()), 'number');

    store.mendReads();
    assert.equal(await writer.change(change), true);
  });

  test('without space for a group, only its changes fail, and the next change is stored', async () => {
    const task = await postTask();
    const before = describeBoard(writer.board);
    store.fill();
    await assert.rejects(postTask('too much'), { name: 'StoreFull' });
    store.makeSpace();
    assert.equal(lost, undefined);
    assert.equal(describeBoard(writer.board), before);
    assert.ok((await postTask('fits')) > task);
    assert.equal(await reloaded(), describeBoard(writer.board));
  });

  test('a read of the board that shares its group with a change without space is answered', async () => {
    store.fill();
    const refused = postTask('too much').catch((fault: Error) => fault.name);
    const read = writer.change({ meta, decide: () => ({ answer: 'read', events: [] }) });
    assert.equal(await read, 'read');
    assert.equal(await refused, 'StoreFull');
  });

  test('a writer cut off from its store fails what it has not sent and waits for what it has', async () => {
    const worker = await join();
    const polling = writer.claim({ meta, worker, wait: 60_000 }).claimed;
    await turns();
    store.hold();
    const sent = postTask('sent');
    await turns();
    const queued = postTask('queued');
    writer.failUnsent(new StoreUnavailable('cut off'));
    await assert.rejects(queued, { name: 'StoreUnavailable' });
    store.release();
    await sent;
    assert.equal(((await polling) as { readonly task: unknown }).task !== undefined, true);
    assert.equal(lost, undefined);
  });

  test('a writer cut off from its store ends the polls that no commit in progress serves', async () => {
    const worker = await join();
    const polling = writer.claim({ meta, worker, wait: 60_000 }).claimed;
    await turns();
    writer.failUnsent(new StoreUnavailable('cut off'));
    await assert.rejects(polling, { name: 'StoreUnavailable' });
    assert.equal(writer.waiters.size, 0);
  });

  test('the writer refuses an idempotency key that was used for another request', async () => {
    const render = () => ({ status: 201, body: '' });
    const decide = () => ({ answer: true, events: [] });
    await writer.change({ meta, decide, idempotency: { key: 'k', request: 'one', render } });
    const second = await writer.change({
      meta,
      decide,
      idempotency: { key: 'k', request: 'two', render },
    });

    assert.equal(isRefusal(second) && second.refused, 'key_reused');
  });

  test('the writer rolls back a refused commit and commits the valid commands alone', async () => {
    await postTask();
    const before = describeBoard(writer.board);
    store.failNext('refuse');
    await assert.rejects(postTask('the only one in its group'));
    assert.equal(describeBoard(writer.board), before);

    store.failNext('refuse');
    await Promise.all([postTask('one'), postTask('two')]);
    assert.equal(writer.board.tasks.size, 3);
    assert.equal(describeBoard(writer.board), await reloaded());
  });

  test('a command that throws fails without failing the other commands of its group', async () => {
    const bad = writer.change({
      meta,
      decide: () => {
        throw new Error('a bug');
      },
    });
    const good = postTask();

    await assert.rejects(bad);
    assert.ok(await good);
    assert.equal(lost, undefined);
  });

  test('the writer answers no command once the store is broken', async () => {
    const before = describeBoard(writer.board);
    store.failNext('break');
    await assert.rejects(postTask(), { name: 'StoreFailed' });

    await assert.rejects(postTask(), { name: 'StoreFailed' });
    assert.equal(lost?.name, 'StoreFailed');
    assert.equal(describeBoard(writer.board), before);
  });

  test('the writer announces each event once, in order', async () => {
    await Promise.all([postTask(), postTask()]);
    assert.deepEqual(
      told.map(({ seq }) => seq),
      [1, 2, 3, 4, 5],
    );
  });
});

describe('a waiting worker', () => {
  test('a waiting worker gets a task in the commit that makes it claimable', async () => {
    const worker = await join();
    const { claimed } = writer.claim({ meta, worker, wait: 60_000 });
    await turns();
    const task = await postTask();

    const given = await claimed;
    assert.equal(!isRefusal(given) && given.task, task);
    assert.equal(store.written.at(-1)?.events.length, 2);
  });

  test('a worker gets a task that arrives later in the same group as its claim', async () => {
    const worker = await join();
    store.hold();
    const other = writer.change({ meta, decide: () => ({ answer: true, events: setUp() }) });
    await turns();
    const { claimed } = writer.claim({ meta, worker, wait: 60_000 });
    const task = postTask();
    store.release();
    await other;

    const given = await claimed;
    assert.equal(!isRefusal(given) && given.task, await task);
  });

  test('a waiting worker learns after its wait that there is no task', async () => {
    const worker = await join();
    const { claimed } = writer.claim({ meta, worker, wait: 1_000 });
    await turns();
    clock.pass(1_000);

    const answer = await claimed;
    assert.equal(isRefusal(answer) && answer.refused, 'nothing_claimable');
    assert.equal(writer.waiters.size, 0);
  });

  test('a worker that disconnected gets no task', async () => {
    const worker = await join();
    const { claimed, cancel } = writer.claim({ meta, worker, wait: 60_000 });
    await turns();
    cancel();
    await claimed;
    await postTask();

    assert.equal(writer.board.runs.size, 0);
  });

  test('a worker gets its next task in the commit of its report', async () => {
    const worker = await join();
    await postTask();
    await postTask();
    const first = await writer.claim({ meta, worker, wait: 0 }).claimed;
    assert.ok(!isRefusal(first));
    const commits = store.written.length;
    const result = { summary: '', branch: null, commit: null, pr: null, details: null };
    const { changed, next } = writer.changeThenClaim(
      {
        meta,
        decide: (board, now) =>
          report(
            board,
            { ...first, worker },
            { how: 'completed', outcome: 'completed', result, children: [] },
            now,
          ),
      },
      { meta, worker, wait: 0 },
    );
    await changed;
    const second = await next()?.claimed;

    assert.ok(second && !isRefusal(second) && second.task > first.task);
    assert.equal(store.written.length, commits + 1);
  });

  test('a waiting worker keeps waiting when the commit that would have served it fails', async () => {
    const worker = await join();
    const { claimed } = writer.claim({ meta, worker, wait: 60_000 });
    await turns();
    store.failNext('refuse');
    await assert.rejects(postTask());
    assert.equal(writer.board.runs.size, 0);

    await postTask();
    assert.ok(!isRefusal(await claimed));
  });
});
