import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalId, RunId, TaskId, WorkerId } from '../../src/domain/ids.ts';
import type { Row } from '../../src/domain/row.ts';
import {
  type DecisionQuery,
  decisionId,
  type Group,
  NO_HEAD,
  type StoredResponse,
  type ToolDecision,
} from '../../src/ports/store.ts';
import { type History, NINE } from '../support/history.ts';
import { dumpOf, everythingIn, opened } from '../support/opened-store.ts';
import { everyEvent, settleIn } from '../support/story.ts';
import type { OpenStore } from './store.contract.ts';

const ANSWER: StoredResponse = {
  key: 'key-1',
  request: 'hash-1',
  status: 201,
  body: '{"id":"t-1"}',
  at: NINE,
};
const ENTRY = { run: 7 as RunId, n: 1, at: NINE, text: 'reading the code' };
const DECISION: ToolDecision = {
  ...{ id: decisionId(NINE, 'a'), at: NINE, run: 7 as RunId, task: 3 as TaskId, project: 'shop' },
  ...{ verdict: 'deny', by: 'rule', tool: 'Bash', command: 'curl x', cwd: '/work' },
  ...{ rule: 'builtin:curl', because: 'no', actor: null, approval: null, took: 0.25 },
};
const HOOK = { name: 'hook', value: { sealed: 'sealed-1', previous: null } };
const HEARTBEAT = { worker: 9 as WorkerId, lastSeen: NINE, worked: 1_500 };

/** A valid group that posts a task. */
function goodGroup(history: History): Group {
  history.post('shop');
  const observed = { responses: [ANSWER], log: [ENTRY], heartbeats: [HEARTBEAT] };
  return history.group({ ...observed, secrets: [HOOK] });
}

const withRow = (group: Group, row: Row): Group => ({ ...group, rows: [...group.rows, row] });

function withTask(group: Group, change: object): Group {
  const rows = group.rows.map((row) =>
    row.table === 'task' ? { ...row, row: { ...row.row, ...change } } : row,
  );
  return { ...group, rows };
}

/** Each is invalid in one way only. */
const WRONG: Readonly<Record<string, (group: Group) => Group>> = {
  'a gap in its events': (group) => ({
    ...group,
    events: group.events.map((event) => ({ ...event, seq: event.seq + 1 })),
  }),
  'two rows with the same key': (group) => withRow(group, group.rows[0] as Row),
  'a changed task that was never posted': (group) => ({
    ...group,
    rows: group.rows.map((row) =>
      row.table === 'task' ? { table: 'task', key: row.key, row: row.row } : row,
    ),
  }),
  'a task without a skill': (group) => withTask(group, { skill: null }),
  'a task whose thread is not a number': (group) => withTask(group, { thread: 'th-1' }),
  'a duplicate decision': (group) => ({ ...group, decisions: [DECISION, DECISION] }),
  'a duplicate log entry': (group) => ({ ...group, log: [ENTRY, ENTRY] }),
  'two values of one secret': (group) => ({ ...group, secrets: [HOOK, HOOK] }),
};

export function storeWrites(open: OpenStore): void {
  test('a fresh store has no events and nothing to load', async () => {
    await using written = await opened(open);
    assert.deepEqual(await written.store.head(), NO_HEAD);
    const rows: Row[] = [];
    const head = await written.store.load(
      (row) => rows.push(row),
      () => assert.fail('a heartbeat'),
    );
    assert.deepEqual([head, rows], [NO_HEAD, []]);
  });

  test('a group is written with its events, rows, responses, log entries, heartbeats and secrets', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    await history.commit(store);
    const head = await store.append(goodGroup(history));

    assert.equal(head.seq, history.board.seq);
    assert.deepEqual(await store.head(), head);
    const [posted] = await store.tasksById([head.seq as TaskId]);
    assert.equal(posted?.title, `Task ${head.seq}`);
    assert.deepEqual((await store.recall({ responses: ['key-1'] })).responses.get('key-1'), ANSWER);
    assert.deepEqual(await store.log(ENTRY.run, 0, 10), [ENTRY]);
    assert.deepEqual(await store.heartbeats(), [HEARTBEAT]);
    assert.deepEqual(await store.secrets(), [{ name: 'hook', ...HOOK.value }]);
  });

  test('the value of a secret is stored with its event, replaced and removed, and nothing else shows it', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    await settleIn(history).commit(store);
    const dump = await dumpOf(store);
    const ring = { name: 'ring', value: { sealed: 'sealed-2', previous: null } };
    await store.append(history.group({ secrets: [ring, HOOK] }));
    assert.deepEqual(await store.secrets(), [
      { name: 'hook', sealed: 'sealed-1', previous: null },
      { name: 'ring', sealed: 'sealed-2', previous: null },
    ]);
    const next = { sealed: 'sealed-3', previous: 'sealed-1' };
    await store.append(history.group({ secrets: [{ name: 'hook', value: next }] }));
    await store.append(history.group({ secrets: [{ name: 'ring', value: null }] }));
    await written.reopen();
    assert.deepEqual(await written.store.secrets(), [{ name: 'hook', ...next }]);
    assert.deepEqual(await dumpOf(written.store), dump);
  });

  test('appended data is still there after the store is closed and reopened', async () => {
    await using written = await opened(open);
    everyEvent(written.history);
    await written.history.commit(written.store, {
      responses: [ANSWER],
      log: [ENTRY],
      heartbeats: [HEARTBEAT],
    });
    const before = await everythingIn(written.store);
    await written.reopen();
    assert.deepEqual(await everythingIn(written.store), before);
    assert.equal((await written.store.recall({ responses: ['key-1'] })).responses.size, 1);
    assert.deepEqual(await written.store.log(ENTRY.run, 0, 10), [ENTRY]);
  });

  test('a group without events does not move the head of the log', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const head = await settleIn(history).commit(store);
    assert.deepEqual(await store.append(history.group({ heartbeats: [HEARTBEAT] })), head);
    assert.deepEqual(await store.append(history.group({ responses: [ANSWER] })), head);
    const later = { ...HEARTBEAT, lastSeen: NINE + 1, worked: 2_500 };
    assert.deepEqual(await store.append(history.group({ heartbeats: [later] })), head);
    assert.deepEqual(await store.heartbeats(), [later]);
    const finer = { ...later, worked: 2_500.6 };
    assert.deepEqual(await store.append(history.group({ heartbeats: [finer] })), head);
    assert.deepEqual(await store.heartbeats(), [{ ...later, worked: 2_501 }]);
  });

  test('an event stored under an old name keeps its stored text, and is found and read under its current name', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    await settleIn(history).commit(store);
    history.record({ type: 'QuotaWindowOpened', window: 9 });
    const group = history.group();
    const stored = { type: 'WindowOpened', body: '{ "window": 9, "type": "WindowOpened" }' };

    await store.append({ ...group, events: group.events.map((each) => ({ ...each, stored })) });

    const [sealed] = await store.sealed(history.board.seq - 1, 1);
    assert.deepEqual([sealed?.type, sealed?.body], [stored.type, stored.body]);
    const { rows } = await store.events({ types: ['QuotaWindowOpened'], limit: 10 });
    assert.deepEqual(rows.at(-1)?.event, { type: 'QuotaWindowOpened', window: 9 });
  });

  for (const [fault, corrupt] of Object.entries(WRONG)) {
    test(`a group with ${fault} is refused as a whole, and the next group is written`, async () => {
      await using written = await opened(open);
      const { history, store } = written;
      await settleIn(history).commit(store);
      const before = await everythingIn(store);
      const group = goodGroup(history);

      await assert.rejects(store.append(corrupt(group)), { name: 'GroupRefused' });

      assert.deepEqual(await everythingIn(store), before);
      assert.equal((await store.recall({ responses: ['key-1'] })).responses.size, 0);
      assert.deepEqual(await store.log(ENTRY.run, 0, 10), []);
      await store.append(group);
      assert.equal((await store.tasksById([history.board.seq as TaskId])).length, 1);
    });
  }

  test('a writer loses leadership when another writer has appended to the log', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    const head = await settleIn(history).commit(store);
    const group = goodGroup(history);
    await store.append(group);
    const before = await everythingIn(store);

    await assert.rejects(store.append(group), { name: 'LeadershipLost' });
    const elsewhere = { ...group, after: { seq: head.seq, link: 'f'.repeat(64) } };
    await assert.rejects(store.append(elsewhere), { name: 'LeadershipLost' });
    const ahead = { ...group, events: [], rows: [], after: { ...head, seq: head.seq + 9 } };
    await assert.rejects(store.append(ahead), { name: 'LeadershipLost' });

    assert.deepEqual(await everythingIn(store), before);
  });

  test('a writer of another epoch loses leadership', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    await settleIn(history).commit(store);
    const group = { ...goodGroup(history), epoch: history.epoch + 1 };
    await assert.rejects(store.append(group), { name: 'LeadershipLost' });
    await store.append({ ...group, epoch: history.epoch });
  });

  test('a stored response replaces an earlier one with the same key', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    await settleIn(history).commit(store, { responses: [ANSWER] });
    const second = { ...ANSWER, status: 200, at: NINE + 5 };
    await history.commit(store, { responses: [second] });
    assert.deepEqual((await store.recall({ responses: ['key-1'] })).responses.get('key-1'), second);
  });

  test('a sweep deletes only responses, log entries, heartbeats and decisions that are too old', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    everyEvent(history);
    const run = [...(await claimed(history))][0] as RunId;
    const at = (minutes: number) => history.at + minutes * 60_000;
    await history.commit(store, {
      responses: [0, 5, 10].map((n) => ({ ...ANSWER, key: `key-${n}`, at: at(n) })),
      log: [1, 2, 3].map((n) => ({ run, n, at: at(n * 5), text: 'x' })),
      decisions: [0, 5, 10].map((n) => ({
        ...DECISION,
        id: decisionId(at(n), 'x'),
        at: at(n),
      })),
      heartbeats: [1, 2, 3].map((n) => ({ worker: n as WorkerId, lastSeen: at(n * 5), worked: 0 })),
    });
    const before = await everythingIn(store);

    await store.sweep({ responses: at(5), log: at(10), decisions: at(6) });
    const kept = await store.decisions({ limit: 10 });
    assert.deepEqual(
      kept.rows.map(({ at: when }) => when),
      [at(10)],
    );

    const keys = ['key-0', 'key-5', 'key-10'];
    const { responses: answers } = await store.recall({ responses: keys });
    assert.deepEqual([...answers.keys()].sort(), ['key-10', 'key-5']);
    assert.deepEqual(
      (await store.log(run, 0, 10)).map(({ n }) => n),
      [2, 3],
    );
    const left = await store.heartbeats();
    assert.deepEqual(
      left.map(({ worker }) => worker),
      [2, 3],
    );
    assert.deepEqual(
      { ...((await everythingIn(store)) as object), savedHeartbeats: 0 },
      { ...(before as object), savedHeartbeats: 0 },
    );
  });

  test('decisions are found by project, verdict, decider, run and time, newest first', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const at = (minutes: number) => NINE + minutes * 60_000;
    const decisions = [0, 1, 2, 3, 4, 5].map(
      (n): ToolDecision => ({
        ...DECISION,
        id: decisionId(at(n), `d${n}`),
        at: at(n),
        run: (7 + (n % 2)) as RunId,
        project: n < 3 ? 'shop' : 'docs',
        verdict: n % 3 === 0 ? 'deny' : 'accept',
        by: n === 3 ? 'person' : 'rule',
        command: `echo ${n} 🙂`,
        approval: n === 3 ? (12 as ApprovalId) : null,
        actor: n === 3 ? 'operator:ada' : null,
      }),
    );
    await history.commit(store, { decisions });
    const found = async (query: Partial<DecisionQuery>) =>
      (await store.decisions({ limit: 10, ...query })).rows.map(({ id }) => Number(id.slice(-1)));

    assert.deepEqual((await store.decisions({ limit: 10 })).rows, decisions.toReversed());
    assert.deepEqual(await found({ project: 'shop' }), [2, 1, 0]);
    assert.deepEqual(await found({ verdict: 'deny' }), [3, 0]);
    assert.deepEqual(await found({ verdict: 'deny', by: 'person' }), [3]);
    assert.deepEqual(await found({ run: 8 as RunId }), [5, 3, 1]);
    assert.deepEqual(await found({ since: at(2), until: at(4) }), [3, 2]);
    const first = await store.decisions({ limit: 4 });
    assert.equal(first.next, decisions[2]?.id);
    assert.deepEqual(await found({ before: first.next as string }), [1, 0]);
    assert.equal((await store.decisions({ limit: 6 })).next, undefined);
  });

  test('a sweep deletes more rows than fit into one batch', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const log = Array.from({ length: 2_500 }, (_, n) => ({ ...ENTRY, n: n + 1, at: history.at }));
    await history.commit(store, { log });
    await store.sweep({ responses: 0, log: history.at + 1, decisions: 0 });
    assert.deepEqual(await store.logSize(ENTRY.run), { last: 0, characters: 0 });
  });

  test('a transcript continues after its last entry when its first entries were deleted', async () => {
    await using written = await opened(open);
    const { history, store } = written;
    settleIn(history);
    const entry = (n: number, at: number) => ({ ...ENTRY, n, at, text: 'four' });
    await history.commit(store, { log: [entry(1, history.at), entry(2, history.at + 5)] });
    await store.sweep({ responses: 0, log: history.at + 5, decisions: 0 });
    assert.deepEqual(await store.logSize(ENTRY.run), { last: 2, characters: 4 });
    await history.commit(store, { log: [entry(3, history.at + 6)] });
    assert.deepEqual(
      (await store.log(ENTRY.run, 0, 10)).map(({ n }) => n),
      [2, 3],
    );
  });
}

async function claimed(history: History): Promise<readonly RunId[]> {
  const { task } = history.post('shop');
  return [history.claim(task, history.worker('dev-1'))];
}
