import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { OPERATOR, type RunningHall, startHall } from '../../test/support/hall.ts';
import { createExchanges } from './exchange.ts';
import { receiveOnShortPath } from './short-path.ts';

/** A content type that the short path leaves to the ordinary one, and that means the same. */
const SHORT = 'application/json';
const ORDINARY = 'application/json; charset=utf-8';

interface Sent {
  readonly path: string;
  readonly body?: string;
  readonly token?: keyof Tokens;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

interface Tokens {
  readonly operator: string;
  readonly first: string;
  readonly second: string;
  readonly unknown: string;
  readonly dismissed: string;
}

const JOB = '{"project":"shop","title":"Fix the till","body":"It is stuck."}';
const HEARTBEAT = '/v1/workers/W1/heartbeat';
const REPORT = '/v1/runs/RUN/report';
const DONE = '{"fence":FENCE,"outcome":"completed","summary":"done"}';

/** W1, W2, RUN and FENCE stand for what the hall has given out. */
const REQUESTS: readonly Sent[] = [
  { path: '/v1/tasks', body: JOB, token: 'operator' },
  { path: '/v1/tasks', body: JOB, token: 'operator', headers: { 'idempotency-key': 'k' } },
  { path: '/v1/tasks', body: JOB, token: 'operator', headers: { 'idempotency-key': 'k' } },
  { path: '/v1/tasks', body: '{}', token: 'operator', headers: { 'idempotency-key': 'k' } },
  { path: '/v1/tasks', body: `${JOB} `, token: 'operator', headers: { 'idempotency-key': 'k' } },
  { path: '/v1/tasks', body: `[${JOB},${JOB}]`, token: 'operator' },
  { path: '/v1/tasks', body: JOB, token: 'operator', headers: { 'idempotency-key': 'a b' } },
  { path: '/v1/tasks', body: JOB, token: 'first' },
  { path: '/v1/tasks', body: JOB },
  { path: '/v1/tasks', body: '{"project":"shop"', token: 'operator' },
  { path: '/v1/tasks', body: '{"project":"nowhere","title":"x"}', token: 'operator' },
  { path: '/v1/tasks', body: '{"titel":"x","labels":[1,""],"size":"xl"}', token: 'operator' },
  { path: '/v1/tasks', body: '{"__proto__":{"title":"x"}}', token: 'operator' },
  { path: '/v1/tasks', body: '"text"', token: 'operator' },
  { path: '/v1/tasks', body: '', token: 'operator' },
  { path: '/v1/tasks', method: 'PUT', body: JOB, token: 'operator' },
  { path: '/v1/claims', body: '{"worker":"W1"}', token: 'second' },
  { path: '/v1/claims', body: '{"worker":"W1"}', token: 'operator' },
  { path: '/v1/claims', body: '{"worker":"w-999"}', token: 'first' },
  { path: '/v1/claims', body: '{"worker":"W1","wait_seconds":61,"x":1}', token: 'first' },
  { path: '/v1/claims', body: '{"worker":"W1"}', token: 'unknown' },
  { path: '/v1/claims', body: '{"worker":"W1"}', token: 'dismissed' },
  { path: '/v1/claims', body: '{"worker":"W1"}', token: 'first' },
  { path: '/v1/claims', body: '{"worker":"W1","explain":true}', token: 'first' },
  { path: HEARTBEAT, body: '{}', token: 'first' },
  { path: HEARTBEAT, body: '{"run":"RUN","fence":FENCE}', token: 'first' },
  { path: HEARTBEAT, body: '{"run":"RUN","fence":1}', token: 'first' },
  { path: HEARTBEAT, body: '{"run":"RUN","fence":-1}', token: 'first' },
  { path: HEARTBEAT, body: '{}', token: 'second' },
  { path: '/v1/workers/w-0/heartbeat', body: '{}', token: 'first' },
  { path: '/v1/workers/w-%31/heartbeat', body: '{}', token: 'first' },
  { path: '/v1/workers/w-1/w-1/heartbeat', body: '{}', token: 'first' },
  { path: '/v1/workers//heartbeat', body: '{}', token: 'first' },
  { path: '/v1/workers/heartbeat', body: '{}', token: 'first' },
  { path: `${HEARTBEAT}?x=1`, body: '{}', token: 'first' },
  { path: `${HEARTBEAT}/`, body: '{}', token: 'first' },
  { path: REPORT, body: DONE, token: 'second' },
  { path: REPORT, body: DONE.replace('FENCE', '1'), token: 'first' },
  { path: REPORT, body: DONE.replace('completed', 'finished'), token: 'first' },
  { path: REPORT, body: DONE.replace('completed', 'rejected'), token: 'first' },
  { path: REPORT, body: DONE.replace('done', 'a\\u0000b'), token: 'first' },
  { path: REPORT, body: DONE, token: 'first', headers: { host: 'evil.test' } },
  { path: REPORT, body: DONE, token: 'first', headers: { origin: 'http://evil.test' } },
  { path: REPORT, body: DONE, token: 'first', headers: { 'sec-fetch-site': 'cross-site' } },
  { path: REPORT, body: DONE, token: 'first', headers: { 'content-encoding': 'gzip' } },
  { path: REPORT, body: `{"summary":"${'x'.repeat(20_001)}"}`, token: 'first' },
  { path: REPORT, body: 'x'.repeat(1024 * 1024 + 1), token: 'first' },
  {
    path: REPORT,
    body: DONE.replace('}', ',"next":{"wait_seconds":0}}'),
    token: 'first',
    headers: { 'idempotency-key': 'report' },
  },
  {
    path: REPORT,
    body: DONE.replace('}', ',"next":{"wait_seconds":0}}'),
    token: 'first',
    headers: { 'idempotency-key': 'report' },
  },
  { path: REPORT, body: DONE, token: 'first' },
  { path: '/v1/runs/r-999/report', body: '{"fence":1,"outcome":"completed"}', token: 'first' },
];

test('good and hostile requests get the same bytes on the short path as on the ordinary one', async () => {
  const [short, ordinary] = [await answersTo(SHORT), await answersTo(ORDINARY)];
  for (const [n, sent] of REQUESTS.entries()) {
    assert.deepEqual(short[n], ordinary[n], JSON.stringify(sent).slice(0, 200));
  }
  const statuses = new Set(short.map(({ status }) => status));
  for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 413, 421, 422]) {
    assert.ok(statuses.has(status), `no request was answered with ${status}`);
  }
});

test('the short path takes plain calls of workers and posters, and leaves all others untouched', async () => {
  const taken: boolean[] = [];
  const needs = {
    auth: { mode: 'none' },
    authenticator: { authenticate: () => ({ kind: 'anyone' }) as const },
    checkHost: () => undefined,
  } as const;
  const exchangeOf = createExchanges();
  const server = createServer((got, response) => {
    const answer = () => response.end();
    const isTaken = receiveOnShortPath(needs, exchangeOf(got, response), {
      received: answer,
      failed: answer,
    });
    taken.push(isTaken);
    if (!isTaken) got.resume().on('end', answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const path of ['/v1/tasks', '/v1/claims', HEARTBEAT, REPORT].map((each) => filled(each))) {
    await send({ port, agent, path, type: SHORT, body: '{}' });
    await send({ port, agent, path, type: ORDINARY, body: '{}' });
    await send({ port, agent, path: `${path}?a=b`, type: SHORT, body: '{}' });
    await send({ port, agent, path, type: SHORT, body: '{}', method: 'PATCH' });
  }
  agent.destroy();
  server.close();
  const one = [true, false, false, false];
  assert.deepEqual(taken, [...one, ...one, ...one, ...one]);
});

test('two tokens that alternate on one connection are two callers', async () => {
  await using hall = await startHall();
  const [one, two] = [await hall.worker(), await hall.worker()];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const heartbeat = (token: string, id: string) =>
    sendTo(hall, agent, { path: `/v1/workers/${id}/heartbeat`, body: '{}' }, token);
  const answers = [
    await heartbeat(one.token, one.id),
    await heartbeat(two.token, two.id),
    await heartbeat(one.token, two.id),
    await heartbeat(two.token, one.id),
    await heartbeat(one.token, one.id),
    await heartbeat(`${one.token}x`, one.id),
  ];
  agent.destroy();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 403, 403, 200, 401],
  );
  assert.equal(new Set(answers.map(({ from }) => from)).size, 1, 'all on one connection');
});

test('a token that is revoked between two requests on one connection is refused', async () => {
  await using hall = await startHall({ auth: { mode: 'tokens', token: OPERATOR } });
  const { body } = await hall.caller.post('/v1/tokens', { name: 'ada', role: 'operator' });
  const worker = await hall.worker();
  const heartbeat = { path: `/v1/workers/${worker.id}/heartbeat`, body: '{}' };
  for (const [sent, token, revoked, status] of [
    [{ path: '/v1/tasks', body: JOB }, body.token, '/v1/tokens/ada', 201],
    [heartbeat, worker.token, `/v1/workers/${worker.id}`, 200],
  ] as const) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const before = await sendTo(hall, agent, sent, token);
    await hall.caller.call('DELETE', revoked);
    const after = await sendTo(hall, agent, sent, token);
    agent.destroy();
    assert.deepEqual([before.status, after.status], [status, 401]);
    assert.equal(before.from, after.from, 'both on one connection');
  }
});

/** Plays all requests in order on a fresh hall, so that both get the same ids. */
async function answersTo(type: string): Promise<readonly Received[]> {
  await using hall = await startHall({
    app: { address: { host: '127.0.0.1', port: 0, publicUrl: null, moreHosts: ['hall.test'] } },
  });
  const [first, second, third] = [await hall.worker(), await hall.worker(), await hall.worker()];
  await hall.caller.call('DELETE', `/v1/workers/${third.id}`);
  const tokens: Tokens = {
    operator: OPERATOR,
    first: first.token,
    second: second.token,
    unknown: 'ghw_unknown',
    dismissed: third.token,
  };
  const names: Record<string, string> = { W1: first.id, RUN: 'r-1', FENCE: '1' };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Received[] = [];
  for (const each of REQUESTS) {
    const sent = { ...each, path: filled(each.path, names), type };
    const token = each.token && tokens[each.token];
    const answer = await sendTo(
      hall,
      agent,
      { ...sent, body: filled(sent.body ?? '', names) },
      token,
    );
    const [, run, fence] = /^{"run":"(r-\d+)","fence":(\d+)/.exec(answer.text) ?? [];
    if (run && fence) Object.assign(names, { RUN: run, FENCE: fence });
    const { from: _, ...seen } = answer;
    answers.push(seen);
  }
  agent.destroy();
  return answers;
}

function filled(text: string, names: Readonly<Record<string, string>> = EXAMPLES): string {
  return text.replace(/W1|RUN|FENCE/g, (name) => names[name] ?? name);
}

const EXAMPLES = { W1: 'w-7', RUN: 'r-40', FENCE: '40' };

interface Received {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly text: string;
}

function sendTo(
  { port }: RunningHall,
  agent: Agent,
  sent: Sent & { readonly type?: string },
  token?: string,
) {
  const headers = {
    ...(port && sent.type !== undefined && { host: 'hall.test' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    'x-request-id': 'the-same',
    ...sent.headers,
  };
  return send({ port, agent, type: SHORT, method: 'POST', ...sent, headers });
}

interface Call extends Omit<Sent, 'token'> {
  readonly port: number;
  readonly agent: Agent;
  readonly type: string;
}

/** The answer without its date, and the port of the connection it came on. */
function send({ port, agent, path, body = '', type, method = 'POST', headers }: Call) {
  return new Promise<Received & { readonly from: number | undefined }>((resolve, reject) => {
    const length = Buffer.byteLength(body);
    const sent = request({ port, agent, host: '127.0.0.1', path, method }, (got) => {
      const from = got.socket.localPort;
      const chunks: Buffer[] = [];
      got.on('data', (chunk: Buffer) => chunks.push(chunk));
      got.on('error', reject);
      got.on('end', () => {
        const at = got.rawHeaders.indexOf('Date');
        const kept = got.rawHeaders.toSpliced(at, at < 0 ? 0 : 2);
        const text = Buffer.concat(chunks).toString();
        resolve({ status: got.statusCode, headers: kept, text, from });
      });
    });
    sent.setHeader('content-type', type);
    sent.setHeader('content-length', length);
    for (const [name, value] of Object.entries(headers ?? {})) sent.setHeader(name, value);
    sent.on('error', reject);
    sent.end(body);
  });
}
