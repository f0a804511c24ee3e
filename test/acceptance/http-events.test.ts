import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { OPERATOR, type RunningHall, startHall } from '../support/hall.ts';
import { until } from '../support/hall-fixture.ts';
import { createManualClock } from '../support/manual-clock.ts';

let hall: RunningHall;

before(async () => {
  hall = await startHall({ projects: { shop: {}, site: {} } });
});

after(() => hall[Symbol.asyncDispose]());

interface Reader {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  text(): string;
  /** True when the hall has ended the stream. */
  isOver(): boolean;
  /** The sequence numbers of the received events. */
  seqs(): readonly number[];
  until(isEnough: (reader: Reader) => boolean): Promise<void>;
  close(): void;
}

async function read(
  from: RunningHall,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reader> {
  const sent = request(`${from.url}${path}`, {
    headers: { authorization: `Bearer ${from.token}`, ...headers },
  });
  sent.on('error', () => undefined);
  sent.end();
  const [got] = await once(sent, 'response');
  let text = '';
  got.on('error', () => undefined);
  got.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const reader: Reader = {
    status: got.statusCode,
    headers: got.headers,
    text: () => text,
    isOver: () => got.complete,
    seqs: () =>
      text
        .split('\n\n')
        .filter((message) => message.includes('data: '))
        .map((message) => Number(/^id: (\d+)$/m.exec(message)?.[1])),
    async until(isEnough) {
      await until(`it is told enough: ${isEnough}`, () => isEnough(reader));
    },
    close: () => sent.destroy(),
  };
  return reader;
}

describe('the history', () => {
  test('GH-041 GH-040: every event in the history has its time, actor and cause', async () => {
    const began = Date.now();
    const [task] = await hall.post({ title: 'watched' });
    await hall.caller.post(`/v1/tasks/${task}/cancel`, { because: 'enough' });
    const { body } = await hall.caller.get(`/v1/events?task=${task}`);
    const [cancelled, posted] = body.events;
    assert.equal(cancelled.type, 'TaskCancelled');
    assert.equal(cancelled.actor, 'operator:local');
    assert.equal(cancelled.cause, 'api: cancelTask');
    assert.equal(cancelled.facts.state, 'cancelled');
    const at = Date.parse(cancelled.at);
    assert.ok(at >= began && at <= Date.now(), cancelled.at);
    assert.equal(posted.facts.title, 'watched');
    assert.ok(posted.seq < cancelled.seq);
  });

  test('events show the thread that a task opens or joins, and that a run completes it', async () => {
    await using own = await startHall();
    const worker = await own.worker();
    const [first, second] = await own.post([
      { ref: 'first', labels: ['area:css'], size: 'S' },
      { depends_on: ['first'] },
    ]);
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    const report = { fence: claim.fence, outcome: 'completed' };
    await worker.caller.post(`/v1/runs/${claim.run}/report`, report);
    const eventsOf = async (task: string | undefined) => {
      const { body } = await own.caller.get(`/v1/events?order=oldest&task=${task}`);
      return body.events.map(({ type, facts }: { type: string; facts: object }) => [type, facts]);
    };
    const [[, opening], , [, ending]] = await eventsOf(first);
    const thread = `th-${first?.slice(2)}`;
    assert.deepEqual([opening.thread, opening.labels, opening.size], [thread, ['area:css'], 'S']);
    assert.deepEqual([ending.state, ending.thread_done], ['completed', true]);
    const [[, waiting], freed] = await eventsOf(second);
    assert.deepEqual([waiting.depends_on, waiting.parent], [[thread], null]);
    assert.equal(freed[0], 'TaskUnblocked');
    const { body: reopened } = await own.caller.post(`/v1/tasks/${first}/reopen`);
    const [[, joining]] = await eventsOf(reopened.id);
    assert.deepEqual([joining.thread, joining.reopens], [thread, first]);
    assert.equal('size' in joining, false);
  });

  test('the history is paged in both orders, without gaps', async () => {
    const last = hall.hall.board.seq;
    for (const order of ['newest', 'oldest'] as const) {
      const seqs: number[] = [];
      for (let next: number | null = -1; next !== null; ) {
        const key = order === 'newest' ? 'before' : 'after';
        const from = next === -1 ? '' : `&${key}=${next}`;
        const { body } = await hall.caller.get(`/v1/events?order=${order}&limit=3${from}`);
        seqs.push(...body.events.map(({ seq }: { seq: number }) => seq));
        next = body.next;
      }
      const all = Array.from({ length: last }, (_, n) => n + 1);
      assert.deepEqual(seqs, order === 'oldest' ? all : all.toReversed());
    }
  });

  test('the history is filtered by project and type', async () => {
    await hall.post({ project: 'site' });
    const { body: site } = await hall.caller.get('/v1/events?project=site&type=TaskPosted');
    assert.equal(site.events.length, 1);
    const { body } = await hall.caller.get('/v1/events?type=TaskPosted,TaskCancelled');
    assert.deepEqual([...new Set(body.events.map(({ type }: { type: string }) => type))].sort(), [
      'TaskCancelled',
      'TaskPosted',
    ]);
  });

  test('the history contains no hash of a token', async () => {
    await hall.worker();
    await hall.caller.post('/v1/tokens', { name: 'eve', role: 'viewer' });
    const { body } = await hall.caller.get('/v1/events?type=WorkerRegistered,TokenCreated');
    assert.ok(body.events.length >= 2);
    assert.doesNotMatch(JSON.stringify(body), /[0-9a-f]{64}/);
  });
});

describe('the event stream', () => {
  test('the event stream delivers an event when it happens', async () => {
    const reader = await read(hall, '/v1/events/stream');
    assert.equal(reader.status, 200);
    assert.match(String(reader.headers['content-type']), /^text\/event-stream/);
    assert.equal(reader.headers['x-accel-buffering'], 'no');
    const from = hall.hall.board.seq;
    await hall.post({ title: 'live' });
    await reader.until((now) => now.seqs().length === 1);
    assert.deepEqual(reader.seqs(), [from + 1]);
    assert.match(reader.text(), /^event: TaskPosted$/m);
    assert.match(reader.text(), /"title":"live"/);
    reader.close();
  });

  test('CH-069a: the event stream resumes after the last event of a reader, without loss or repetition, during writes', async () => {
    const known = hall.hall.board.seq;
    await hall.post(Array.from({ length: 300 }, () => ({})));
    const posting = (async () => {
      for (let n = 0; n < 100; n += 1) await hall.post([{}, {}, {}]);
    })();
    const byHeader = await read(hall, '/v1/events/stream', { 'last-event-id': String(known) });
    const byQuery = await read(hall, `/v1/events/stream?after=${known + 100}`);
    await posting;
    const last = hall.hall.board.seq;
    for (const [reader, from] of [
      [byHeader, known],
      [byQuery, known + 100],
    ] as const) {
      await reader.until((now) => (now.seqs().at(-1) ?? 0) >= last);
      const expected = Array.from({ length: last - from }, (_, n) => from + 1 + n);
      assert.deepEqual(reader.seqs(), expected);
      reader.close();
    }
  });

  test('the event stream starts with the next event for a reader whose last event is no longer in the log', async () => {
    const head = hall.hall.board.seq;
    const byHeader = await read(hall, '/v1/events/stream', { 'last-event-id': String(head + 99) });
    const byQuery = await read(hall, `/v1/events/stream?after=${head + 99}`);
    for (const reader of [byHeader, byQuery]) {
      await reader.until((now) => now.text().includes('\n\n'));
      assert.match(reader.text(), new RegExp(`^: the log ends before event ${head + 99}`));
      assert.match(reader.text(), new RegExp(`^id: ${head}$`, 'm'));
    }
    await hall.post();
    for (const reader of [byHeader, byQuery]) {
      await reader.until((now) => now.seqs().length === 1);
      assert.deepEqual(reader.seqs(), [head + 1]);
      reader.close();
    }
  });

  test('the event stream of a node that lags behind its reader repeats no event', async () => {
    const head = hall.hall.board.seq;
    const { store } = hall.hall;
    const ahead = { ...store, head: async () => ({ ...(await store.head()), seq: head + 2 }) };
    await using follower = await startHall({ hall: { ...hall.hall, store: ahead } });
    const reader = await read(follower, `/v1/events/stream?after=${head + 2}`);
    await reader.until((now) => now.text().includes(`id: ${head + 2}\n\n`));
    await hall.post([{}, {}, {}]);
    await reader.until((now) => now.seqs().length > 0);
    assert.deepEqual(reader.seqs(), [head + 3]);
    reader.close();
  });

  test('the event stream delivers nothing after its token is revoked', async () => {
    const auth = { mode: 'tokens', token: OPERATOR } as const;
    await using guarded = await startHall({ auth });
    const viewer = { name: 'eve', role: 'viewer' };
    const { body } = await guarded.caller.post('/v1/tokens', viewer);
    const as = { authorization: `Bearer ${body.token}` };
    const live = await read(guarded, '/v1/events/stream', as);
    await live.until((now) => now.text().includes('retry: 2000'));
    await guarded.caller.call('DELETE', '/v1/tokens/eve');
    await guarded.caller.post('/v1/tokens', viewer);
    await guarded.post({ title: 'not for eve' });
    await live.until((now) => now.isOver());
    assert.deepEqual(live.seqs(), []);
  });

  test('HEAD on the event stream is answered without opening a stream', async () => {
    await using own = await startHall();
    const { status, headers, body } = await own.caller.call('HEAD', '/v1/events/stream');
    assert.deepEqual([status, body], [200, '']);
    assert.match(String(headers['content-type']), /^text\/event-stream/);
    const metrics = await own.caller.get('/metrics');
    assert.match(metrics.body, /^guildhall_event_streams 0$/m);
  });

  test('the event stream delivers only events that match its filter, including those of ended runs and tasks', async () => {
    const worker = await hall.worker({ projects: ['site'] });
    const [task] = await hall.post({ project: 'site', title: 'filtered' });
    const ofProject = await read(hall, '/v1/events/stream?project=site');
    const ofTask = await read(hall, `/v1/events/stream?task=${task}`);
    const from = hall.hall.board.seq;
    for (;;) {
      const { status, body } = await worker.caller.post('/v1/claims', { worker: worker.id });
      if (status === 204) break;
      await hall.post({ project: 'shop' });
      const { fence, run } = body;
      await worker.caller.post(`/v1/runs/${run}/start`, { fence });
      const call = { fence, command: 'rm -r ./temp', cwd: '/cell', worktree: '/cell' };
      const { approval } = (await worker.caller.post(`/v1/runs/${run}/tool`, call)).body;
      const { nonce } = (await hall.caller.get(`/v1/approvals/${approval}`)).body;
      await hall.caller.post(`/v1/approvals/${approval}`, { answer: 'deny', nonce });
      const report = { fence, outcome: 'completed' };
      await worker.caller.post(`/v1/runs/${run}/report`, report);
    }
    const [gone] = await hall.post({ project: 'site' });
    await hall.caller.post(`/v1/tasks/${gone}/cancel`);
    const seqsOf = async (query: string) => {
      const { body } = await hall.caller.get(`/v1/events?order=oldest&after=${from}&${query}`);
      return body.events.map(({ seq }: { seq: number }) => seq);
    };
    const [site, own] = [await seqsOf('project=site'), await seqsOf(`task=${task}`)];
    assert.ok(site.length > own.length && own.length >= 4);
    await ofProject.until((now) => now.seqs().length >= site.length);
    await ofTask.until((now) => now.seqs().length >= own.length);
    assert.deepEqual(ofProject.seqs(), site);
    assert.deepEqual(ofTask.seqs(), own);
    ofProject.close();
    ofTask.close();
  });

  test('CH-069a: the event stream sends a heartbeat every 15 s', async () => {
    const clock = createManualClock();
    await using quiet = await startHall({ clock });
    const reader = await read(quiet, '/v1/events/stream');
    await reader.until((now) => now.text().includes('retry: 2000'));
    clock.pass(15_000);
    await reader.until((now) => now.text().includes('\n:\n'));
    reader.close();
  });

  test('the event stream disconnects a reader that does not read, and keeps the others', async () => {
    await using busy = await startHall();
    const socket = connect(busy.port, '127.0.0.1');
    socket.pause();
    let closed = false;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed = true;
    });
    socket.write(
      `GET /v1/events/stream HTTP/1.1\r\nHost: 127.0.0.1:${busy.port}\r\n` +
        `Authorization: Bearer ${busy.token}\r\n\r\n`,
    );
    const patient = await read(busy, '/v1/events/stream');
    const streams = async () => {
      const { body } = await busy.caller.get('/metrics');
      return Number(/^guildhall_event_streams (\d+)$/m.exec(body)?.[1]);
    };
    await until('both read', async () => (await streams()) === 2);
    const task = {
      title: 'x'.repeat(300),
      labels: Array.from({ length: 100 }, (_, n) => `${n}`.repeat(50)),
    };
    for (let n = 0; (await streams()) === 2; n += 1) {
      assert.ok(n < 200, 'it was never dropped');
      await busy.post(Array.from({ length: 20 }, () => task));
    }
    assert.equal(await streams(), 1);
    const last = busy.hall.board.seq;
    await patient.until((now) => (now.seqs().at(-1) ?? 0) >= last);
    patient.close();
    socket.resume();
    await until('it is cut off', () => closed);
  });

  test('the event stream is refused when the maximum number of streams is open', async () => {
    await using small = await startHall({ app: { mostStreams: 2 } });
    const open = [await read(small, '/v1/events/stream'), await read(small, '/v1/events/stream')];
    const { status, body, headers } = await small.caller.get('/v1/events/stream');
    assert.equal(status, 503);
    assert.equal(body.code, 'too_many_streams');
    assert.equal(headers['retry-after'], '1');
    for (const reader of open) reader.close();
  });
});

describe('the client', () => {
  test('CH-069a X-010b: the client resumes the event stream after a lost connection', async () => {
    await using moving = await startHall();
    const stop = new AbortController();
    const { board } = moving.hall;
    const from = board.seq;
    const seqs: number[] = [];
    const reading = (async () => {
      for await (const { seq } of moving.client.events({ after: from, signal: stop.signal })) {
        seqs.push(seq);
      }
    })();
    for (let n = 0; n < 5; n += 1) {
      const task = { project: 'shop', title: 'x' };
      await moving.client.call('postTasks', { body: [task, task] });
      await until('both are read', () => seqs.length >= (n + 1) * 2);
      moving.cut();
    }
    stop.abort();
    await reading;
    assert.deepEqual(
      seqs,
      Array.from({ length: 10 }, (_, n) => from + 1 + n),
    );
  });
});
