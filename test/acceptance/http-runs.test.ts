import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryStore } from '../../src/adapters/memory/store.ts';
import { MAX_CHARACTERS } from '../../src/http/transcripts.ts';
import { createFaultyStore } from '../support/faulty-store.ts';
import { OPERATOR, type RunningHall, type RunningWorker, startHall } from '../support/hall.ts';

let hall: RunningHall;
let worker: RunningWorker;

before(async () => {
  hall = await startHall();
  worker = await hall.worker();
});

after(() => hall[Symbol.asyncDispose]());

async function claimed(task: object = {}) {
  const [id] = await hall.post(task);
  const { status, body } = await worker.caller.post('/v1/claims', { worker: worker.id });
  assert.equal(status, 200);
  assert.equal(body.task.id, id);
  return body;
}

function call(verb: string, claim: { run: string; fence: number }, content: object = {}) {
  return worker.caller.post(`/v1/runs/${claim.run}/${verb}`, { fence: claim.fence, ...content });
}

async function taskOf(claim: { task: { id: string } }) {
  return (await hall.caller.get(`/v1/tasks/${claim.task.id}`)).body;
}

describe('a report', () => {
  test('GH-T03 GH-025: a report of success is visible in the history with its results', async () => {
    const claim = await claimed();
    await call('start', claim);
    const { body } = await call('report', claim, {
      outcome: 'completed',
      summary: 'prices show tax',
      branch: 'hall/dev/issue-1',
      commit: 'abc1234',
      details: 'ran 12 tests',
    });
    assert.deepEqual(body, { task: claim.task.id, state: 'completed', next: null });
    const { task, runs, thread } = await taskOf(claim);
    assert.equal(task.state, 'completed');
    assert.equal(task.summary, 'prices show tax');
    assert.equal(runs[0].ending.commit, 'abc1234');
    assert.equal(runs[0].ending.details, 'ran 12 tests');
    assert.equal(thread.branch, 'hall/dev/issue-1');
    const { body: history } = await hall.caller.get(
      `/v1/events?task=${claim.task.id}&order=oldest`,
    );
    assert.deepEqual(
      history.events.map(({ type }: { type: string }) => type),
      ['TaskPosted', 'RunClaimed', 'RunStarted', 'RunEnded'],
    );
  });

  test('GH-025: a report of failure is final, with its reason', async () => {
    for (const outcome of ['failed', 'max_turns_exceeded']) {
      const claim = await claimed();
      const { body } = await call('report', claim, { outcome, summary: 'no way' });
      assert.equal(body.state, 'failed');
      const { task } = await taskOf(claim);
      assert.equal(task.outcome, outcome);
      assert.equal(task.summary, 'no way');
    }
  });

  test('GH-T04 GH-025 GH-080a GH-080b: a rejection carries its reason, is final and is counted by code', async () => {
    const claim = await claimed();
    const rejection = {
      reason_code: 'underspecified',
      message: 'which tax?',
      missing: ['the rate'],
      questions: ['Which rate?'],
      suggested_size: 's',
    };
    const { body } = await call('report', claim, { outcome: 'rejected', rejection });
    assert.equal(body.state, 'rejected');
    const { task } = await taskOf(claim);
    assert.deepEqual(task.rejection, { ...rejection, suggested_size: 'S' });
    const idle = await worker.caller.post('/v1/claims', { worker: worker.id });
    assert.equal(idle.status, 204, 'it is not tried again');
    const { body: stats } = await hall.caller.get('/v1/stats');
    assert.deepEqual(stats.totals.rejections, { underspecified: 1 });
  });

  test('a rejection without a reason is refused, and so is a reason without a rejection', async () => {
    const claim = await claimed();
    const mute = await call('report', claim, { outcome: 'rejected' });
    assert.equal(mute.status, 400);
    assert.equal(mute.body.mistakes[0].path, 'rejection');
    assert.match(mute.body.mistakes[0].message, /reason_code.*message.*missing.*questions/);
    const rejection = { reason_code: 'unsafe', message: 'x' };
    assert.equal((await call('report', claim, { outcome: 'failed', rejection })).status, 400);
    const bad = { outcome: 'rejected', rejection: { reason_code: 'lazy', message: '' } };
    const { body } = await call('report', claim, bad);
    assert.deepEqual(
      body.mistakes.map(({ path }: { path: string }) => path),
      ['rejection.reason_code', 'rejection.message'],
    );
    await call('report', claim, { outcome: 'failed' });
  });

  test('a report of an exhausted quota without a reset time defers the task for an hour', async () => {
    const claim = await claimed();
    const { body } = await call('report', claim, { outcome: 'quota_exceeded' });
    assert.equal(body.state, 'deferred');
    const { task } = await taskOf(claim);
    assert.equal(Date.parse(task.until) - Date.parse(task.since), 3_600_000);
    await hall.caller.post(`/v1/tasks/${claim.task.id}/cancel`);
  });

  test('a report of a pull request without link and branch is refused and changes nothing', async () => {
    const claim = await claimed();
    const before = await taskOf(claim);
    const { status, body } = await call('report', claim, { outcome: 'pr_created', next: {} });
    assert.equal(status, 422);
    assert.deepEqual(
      body.mistakes.map(({ path }: { path: string }) => path),
      ['pr', 'branch'],
    );
    assert.deepEqual(await taskOf(claim), before);
    await call('report', claim, { outcome: 'failed' });
  });

  test('a report with a link that is not a web address, or with an unknown outcome, is refused', async () => {
    const claim = await claimed();
    const pr = { number: 1, url: 'javascript:alert(1)' };
    assert.equal((await call('report', claim, { outcome: 'pr_created', pr })).status, 400);
    assert.equal((await call('report', claim, { outcome: 'done' })).status, 400);
    await call('report', claim, { outcome: 'completed' });
  });
});

describe('reporting and claiming the next task', () => {
  test('a worker reports and claims the next task in one request', async () => {
    const [first, second] = await hall.post([{ title: 'one' }, { title: 'two' }]);
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    assert.equal(claim.task.id, first);
    const { body } = await call('report', claim, { outcome: 'completed', next: {} });
    assert.equal(body.state, 'completed');
    assert.equal(body.next.task.id, second);
    assert.equal(body.next.task.title, 'two');
    const last = await call('report', body.next, {
      outcome: 'completed',
      next: { wait_seconds: 0 },
    });
    assert.equal(last.body.next, null);
  });

  test('a report can wait for the next task', async () => {
    const claim = await claimed();
    const waiting = call('report', claim, { outcome: 'completed', next: { wait_seconds: 20 } });
    const other = await hall.worker({ projects: ['shop'] });
    while (hall.hall.leading()?.writer.waiters.size !== 1) {
      await other.caller.post(`/v1/workers/${other.id}/heartbeat`);
    }
    const [next] = await hall.post({ title: 'came later' });
    const { body } = await waiting;
    assert.equal(body.next.task.id, next);
    await call('report', body.next, { outcome: 'completed' });
  });

  test('a refused report claims no task', async () => {
    const claim = await claimed();
    await hall.caller.post(`/v1/tasks/${claim.task.id}/cancel`);
    const [waiting] = await hall.post();
    const { status } = await call('report', claim, { outcome: 'completed', next: {} });
    assert.equal(status, 409);
    const { body } = await hall.caller.get(`/v1/tasks/${waiting}`);
    assert.equal(body.task.state, 'available');
    await hall.caller.post(`/v1/tasks/${waiting}/cancel`);
  });

  test('a repeated report returns the same next claim', async () => {
    const [, second] = await hall.post([{ title: 'one' }, { title: 'two' }]);
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    const path = `/v1/runs/${claim.run}/report`;
    const report = { fence: claim.fence, outcome: 'completed', next: {} };
    const first = await worker.caller.post(path, report, { key: 'report-1' });
    const again = await worker.caller.post(path, report, { key: 'report-1' });
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(again.body.task, claim.task.id);
    assert.equal(again.body.next.task.id, second);
    assert.equal(again.body.next.run, first.body.next.run);
    await call('report', again.body.next, { outcome: 'completed' });
  });

  test('GH-026: a worker that disconnects while its report is written is given no next task', async () => {
    const store = createFaultyStore(createMemoryStore());
    await using slow = await startHall({ store: { made: store } });
    const { id, caller } = await slow.worker();
    await slow.post();
    const { body } = await caller.post('/v1/claims', { worker: id });
    const report = { fence: body.fence, outcome: 'completed', next: { wait_seconds: 60 } };
    store.hold();
    const { writer } = slow.hall.leading() ?? assert.fail('it does not lead');
    const reporting = caller.post(`/v1/runs/${body.run}/report`, report).catch(() => 'gone');
    while (writer.stalledFor === 0) await sleep(1);
    slow.cut();
    assert.equal(await reporting, 'gone');
    await sleep(50);
    store.release();
    const operator = slow.as(OPERATOR);
    const next = { project: 'shop', title: 'next' };
    const { body: posted } = await operator.post('/v1/tasks', next);
    assert.equal(writer.waiters.size, 0);
    const { body: shown } = await operator.get(`/v1/tasks/${posted.tasks[0].id}`);
    assert.equal(shown.task.state, 'available');
  });
});

describe('a question', () => {
  test('GH-010b GH-025: a question ends the run, the answer makes the task available, and the next run gets both', async () => {
    const claim = await claimed();
    const asked = await call('ask', claim, { question: 'Round up?', session: 's-1' });
    assert.deepEqual(asked.body, { task: claim.task.id, state: 'awaiting_input' });
    const { task, why } = await taskOf(claim);
    assert.equal(task.question, 'Round up?');
    assert.equal(why.reasons[0].rule, 'waits_for_answer');
    assert.equal((await worker.caller.post('/v1/claims', { worker: worker.id })).status, 204);

    const path = `/v1/tasks/${claim.task.id}/answer`;
    assert.equal((await hall.caller.post(path, {})).status, 400);
    const answered = await hall.caller.post(path, { text: 'To the cent.' });
    assert.equal(answered.body.state, 'available');
    assert.equal((await hall.caller.post(path, { text: 'again' })).status, 409);

    const { body: again } = await worker.caller.post('/v1/claims', { worker: worker.id });
    assert.equal(again.task.id, claim.task.id);
    assert.deepEqual(
      again.task.notes.map(({ kind, text }: { kind: string; text: string }) => [kind, text]),
      [
        ['question', 'Round up?'],
        ['answer', 'To the cent.'],
      ],
    );
    assert.equal(again.task.previous[0].ending.session, 's-1');
    await call('report', again, { outcome: 'completed' });
  });
});

describe('a fence', () => {
  test('X-015a: a call with a stale fence changes nothing', async () => {
    const claim = await claimed();
    await hall.caller.post(`/v1/tasks/${claim.task.id}/release`);
    const { body: now } = await worker.caller.post('/v1/claims', { worker: worker.id });
    assert.ok(now.fence > claim.fence);
    const calls = {
      start: {},
      log: { entries: ['x'] },
      usage: { input_tokens: 1, output_tokens: 1 },
      note: { text: 'x' },
      ask: { question: 'x?' },
      report: { outcome: 'completed' },
    };
    const { body: before } = await hall.caller.get('/v1/board');
    for (const [verb, more] of Object.entries(calls)) {
      for (const stale of [claim, { ...now, fence: claim.fence }, { run: 'r-999999', fence: 1 }]) {
        const { status, body } = await call(verb, stale, more);
        assert.equal(status, 409, verb);
        assert.equal(body.code, 'stale_fence');
      }
    }
    const { body: then } = await hall.caller.get('/v1/board');
    assert.equal(then.seq, before.seq);
    assert.deepEqual((await hall.caller.get(`/v1/runs/${now.run}/transcript`)).body.entries, []);
    await call('report', now, { outcome: 'completed' });
  });
});

describe('a secret in an agent’s text', () => {
  const KEY = ['sk', 'ant', 'api03-Zx81kQ0pLmN4vB7cR2tYwE'].join('-');

  test('X-018a P11: a secret in an agent’s text is redacted in events, notes, transcripts and tasks', async () => {
    const text = `look: ${KEY} and ${OPERATOR}`;
    const asking = await claimed();
    await call('log', asking, { entries: [text] });
    await call('note', asking, { text });
    await call('ask', asking, { question: text });
    const reporting = await claimed();
    await call('report', reporting, { outcome: 'failed', summary: text, details: text });
    const rejecting = await claimed();
    const rejection = { reason_code: 'unsafe', message: text, missing: [text], questions: [text] };
    await call('report', rejecting, { outcome: 'rejected', rejection });

    const pages = await Promise.all(
      [asking, reporting, rejecting].flatMap(({ task, run }) => [
        hall.caller.get(`/v1/tasks/${task.id}`),
        hall.caller.get(`/v1/events?task=${task.id}`),
        hall.caller.get(`/v1/runs/${run}/transcript`),
      ]),
    );
    const shown = JSON.stringify(pages.map(({ body }) => body));
    assert.equal(shown.includes(KEY), false);
    assert.equal(shown.includes(OPERATOR), false, 'what the hall itself knows');
    assert.ok((shown.match(/look: \[redacted\] and \[redacted\]/g) ?? []).length >= 8);
    await hall.caller.post(`/v1/tasks/${asking.task.id}/cancel`);
  });
});

describe('what a run leaves behind', () => {
  test('X-006a: a transcript can be followed during the run and read after it', async () => {
    const claim = await claimed();
    const path = `/v1/runs/${claim.run}/transcript`;
    assert.deepEqual((await call('log', claim, { entries: ['a', 'b'] })).body, {
      entries: 2,
      cut: false,
    });
    const first = (await hall.caller.get(`${path}?limit=1`)).body;
    assert.deepEqual(
      first.entries.map(({ n, text }: { n: number; text: string }) => [n, text]),
      [[1, 'a']],
    );
    const second = (await hall.caller.get(`${path}?after=${first.next}`)).body;
    assert.deepEqual(second.entries[0].text, 'b');
    assert.equal(second.next, null);
    await Promise.all([1, 2, 3].map((n) => call('log', claim, { entries: [`c${n}`, `d${n}`] })));
    await call('report', claim, { outcome: 'completed' });
    const { body: after } = await hall.caller.get(`/v1/tasks/${claim.task.id}/log`);
    assert.deepEqual(
      after.entries.map(({ n }: { n: number }) => n),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
  });

  test('a transcript has a maximum length, and its last entry says so', async () => {
    const claim = await claimed();
    const entry = 'x'.repeat(262_144);
    let last = { entries: 0, cut: false };
    for (let n = 0; n < MAX_CHARACTERS / entry.length / 3 + 1; n += 1) {
      last = (await call('log', claim, { entries: [entry, entry, entry] })).body;
    }
    assert.equal(last.cut, true);
    const { body } = await call('log', claim, { entries: ['more'] });
    assert.deepEqual(body, last);
    const after = last.entries - 1;
    const { body: end } = await hall.caller.get(`/v1/runs/${claim.run}/transcript?after=${after}`);
    assert.match(end.entries[0].text, /reached its maximum length/);
    await call('report', claim, { outcome: 'completed' });
  });

  test('characters that a database cannot store are replaced in a transcript', async () => {
    const claim = await claimed();
    assert.equal((await call('log', claim, { entries: ['a\0b\ud800'] })).status, 200);
    const { body } = await hall.caller.get(`/v1/runs/${claim.run}/transcript`);
    assert.equal(body.entries[0].text, 'a\u2400b\ufffd');
    await call('report', claim, { outcome: 'completed' });
  });

  test('the usage of a run never decreases, and notes are stored with their author', async () => {
    const claim = await claimed();
    const used = { input_tokens: 100, output_tokens: 10, turns: 2, cost_usd: 0.5 };
    assert.deepEqual((await call('usage', claim, used)).body.usage, used);
    const less = await call('usage', claim, { input_tokens: 5, output_tokens: 5 });
    assert.deepEqual(less.body.usage, used);
    assert.equal((await call('note', claim, { text: 'rounding is in money.ts' })).status, 200);
    const { notes } = await taskOf(claim);
    assert.equal(notes[0].text, 'rounding is in money.ts');
    assert.equal(notes[0].by, `worker:${worker.id}`);
    const { body: usage } = await hall.caller.get('/v1/usage');
    assert.equal(usage.running.total.cost_usd, 0.5);
    await call('report', claim, { outcome: 'completed' });
    assert.equal((await hall.caller.get(`/v1/runs/${claim.run}`)).body.usage.turns, 2);
    assert.equal((await hall.caller.get('/v1/runs/r-999999')).status, 404);
  });
});
