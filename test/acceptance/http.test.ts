import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type RunningHall, startHall } from '../support/hall.ts';

let hall: RunningHall;

before(async () => {
  hall = await startHall();
});

after(() => hall[Symbol.asyncDispose]());

/** The response to bytes that no HTTP library would send. */
async function raw(text: string): Promise<string> {
  const socket = connect(hall.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

function head(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}Connection: close\r\n\r\n`;
}

describe('invalid requests', () => {
  test('an unknown field is refused with the nearest known one', async () => {
    const { status, body } = await hall.caller.post('/v1/tasks', {
      project: 'shop',
      title: 'x',
      dependsOn: [],
      max_workers: 3,
    });

    assert.equal(status, 400);
    assert.equal(body.code, 'invalid_input');
    assert.deepEqual(body.mistakes, [
      { path: 'dependsOn', message: 'is not a known field; did you mean depends_on?' },
      { path: 'max_workers', message: 'is not a known field' },
    ]);
  });

  test('a request with several mistakes is refused with all of them', async () => {
    const { body } = await hall.caller.post('/v1/tasks', [
      { project: 'Shop!', title: '', labels: 'ui', size: 'huge' },
      { project: 'shop', title: 'ok', depends_on: [1] },
    ]);

    assert.deepEqual(
      body.mistakes.map(({ path }: { path: string }) => path),
      ['[0].project', '[0].title', '[0].labels', '[0].size', '[1].depends_on[0]'],
    );
  });

  test('a request with 20,000 unknown fields is refused with the first 20 and the number of the others', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`titel_${at}`, 1]),
    );
    const { status, body } = await hall.caller.post('/v1/tasks', {
      project: 'shop',
      title: 'x',
      ...fields,
    });

    assert.equal(status, 400);
    assert.equal(body.mistakes.length, 20);
    assert.equal(body.more_mistakes, 19_980);
    assert.match(body.detail, /^titel_0 is not a known field.*, and 19999 more$/);
  });

  test('mistakes in path, query and body are all listed', async () => {
    const { status, body } = await hall.caller.call('PATCH', '/v1/tasks/41?x=1', { titel: 'y' });

    assert.equal(status, 400);
    assert.deepEqual(
      body.mistakes.map(({ path }: { path: string }) => path),
      ['id', 'x', 'titel'],
    );
  });

  test('a project name that cannot be part of a path is refused', async () => {
    const names = [
      'a/b',
      '..',
      'a..b',
      '.a',
      '-a',
      'Ünïcode',
      'A',
      '',
      'a b',
      'a\n',
      'x'.repeat(10_000),
    ];
    for (const name of names) {
      const { status, body } = await hall.caller.post('/v1/projects', { name });
      assert.equal(status, 400, name);
      assert.equal(body.mistakes[0].path, 'name');
      const inPath = await hall.caller.get(`/v1/projects/${encodeURIComponent(name)}`);
      assert.ok([400, 404].includes(inPath.status), `${inPath.status} for ${name.slice(0, 20)}`);
    }
  });

  test('text that a database cannot store, or with control characters, is refused', async () => {
    for (const title of ['a\0b', 'a\ud800b', 'a\u001b[2Jb', 'two\nlines']) {
      const { status } = await hall.caller.post('/v1/tasks', { project: 'shop', title });
      assert.equal(status, 400, JSON.stringify(title));
    }
  });

  test('input beyond the limits of length and number is refused', async () => {
    const wrong = [
      { title: 'x'.repeat(301) },
      { body: 'x'.repeat(262_145) },
      { labels: Array.from({ length: 101 }, (_, n) => `l${n}`) },
      { labels: ['x'.repeat(101)] },
      { depends_on: Array.from({ length: 101 }, (_, n) => `t-${n + 1}`) },
    ];
    for (const each of wrong) {
      const task = { project: 'shop', title: 'x', ...each };
      assert.equal((await hall.caller.post('/v1/tasks', task)).status, 400);
    }
    const many = Array.from({ length: 1_001 }, () => ({ project: 'shop', title: 'x' }));
    assert.equal((await hall.caller.post('/v1/tasks', many)).status, 400);
  });

  test('malformed JSON is refused with its line and column, without repeating the text', async () => {
    const { url, token } = hall;
    const answer = await fetch(`${url}/v1/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"project": "shop",\n "title": s3cret}',
    });
    const body = (await answer.json()) as { readonly code: string; readonly detail: string };

    assert.equal(answer.status, 400);
    assert.equal(body.code, 'malformed_json');
    assert.match(body.detail, /line 2, column 11/);
    assert.doesNotMatch(JSON.stringify(body), /s3cret/);
  });

  test('a body that is not JSON is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const task = { project: 'shop', title: 'x' };
      const { status } = await hall.caller.post('/v1/tasks', task, {
        headers: { 'content-type': type },
      });
      assert.equal(status, 415, type);
    }
    const packed = { headers: { 'content-encoding': 'gzip' } };
    assert.equal((await hall.caller.post('/v1/pause', {}, packed)).status, 415);
  });

  test('a body of 10 MB is refused without being read', async () => {
    const title = 'x'.repeat(10_000_000);
    const { status, body } = await hall.caller.post('/v1/tasks', { project: 'shop', title });

    assert.equal(status, 413);
    assert.equal(body.code, 'body_too_large');
    const announced = await raw(
      'POST /v1/pause HTTP/1.1\r\n' +
        `Host: 127.0.0.1:${hall.port}\r\nAuthorization: Bearer ${hall.token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 10000000000\r\n\r\n{',
    );
    assert.match(announced, /^HTTP\/1\.1 413 /);
  });

  test('the size of a chunked body is limited', async () => {
    const chunk = `${'x'.repeat(65_536)}`;
    const chunked = Array.from({ length: 20 }, () => `10000\r\n${chunk}\r\n`).join('');
    const answer = await raw(
      `POST /v1/pause HTTP/1.1\r\nHost: 127.0.0.1:${hall.port}\r\n` +
        `Authorization: Bearer ${hall.token}\r\nContent-Type: application/json\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${chunked}`,
    );

    assert.match(answer, /^HTTP\/1\.1 413 /);
  });
});

describe('every response', () => {
  test('every response has a request id, is not cached and cannot be framed', async () => {
    for (const path of ['/v1/board', '/v1/nowhere', '/healthz']) {
      const { headers } = await hall.caller.get(path);
      assert.match(String(headers['x-request-id']), /^[\w.-]+$/);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /default-src 'none'/);
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
    }
  });

  test('a problem document contains the request id', async () => {
    const { body, headers } = await hall.caller.get('/v1/tasks/t-999', {
      headers: { 'x-request-id': 'mine-1' },
    });

    assert.equal(headers['x-request-id'], 'mine-1');
    assert.equal(body.instance, 'urn:guildhall:request:mine-1');
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.equal(body.type, 'urn:guildhall:problem:unknown_task');
  });
});

describe('paths and methods', () => {
  test('an unknown path is answered with 404, and an unsupported method with 405 and the supported ones', async () => {
    assert.equal((await hall.caller.get('/v1/nowhere')).status, 404);
    assert.equal((await hall.caller.get('/v1//tasks')).status, 404);
    assert.equal((await hall.caller.get('/v1/tasks/')).status, 404);
    const { status, headers } = await hall.caller.call('DELETE', '/v1/tasks');
    assert.equal(status, 405);
    assert.equal(headers['allow'], 'GET, POST, HEAD, OPTIONS');
  });

  test('HEAD is answered like GET without the body, and OPTIONS with the supported methods', async () => {
    const got = await hall.caller.get('/v1/projects');
    const head = await hall.caller.call('HEAD', '/v1/projects');
    assert.equal(head.status, 200);
    assert.equal(head.body, '');
    assert.equal(head.headers['content-length'], got.headers['content-length']);
    const options = await hall.caller.call('OPTIONS', '/v1/projects');
    assert.equal(options.status, 204);
    assert.equal(options.headers['allow'], 'GET, POST, HEAD, OPTIONS');
    assert.equal(options.headers['access-control-allow-origin'], undefined);
  });
});

describe('requests from other sites', () => {
  const own = () => ({
    Host: `127.0.0.1:${hall.port}`,
    Authorization: `Bearer ${hall.token}`,
  });

  test('a request with an unknown Host header is refused', async () => {
    for (const path of ['/healthz', '/v1/board', '/v1/events/stream', '/openapi.json', '/x']) {
      for (const host of ['evil.example', `evil.example:${hall.port}`, '127.0.0.1:1', '']) {
        assert.match(await raw(head(path, { ...own(), Host: host })), /^HTTP\/1\.1 421 /, path);
      }
    }
  });

  test('a request with a loopback name of the hall as Host is answered', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST']) {
      const host = `${name}:${hall.port}`;
      assert.match(await raw(head('/v1/board', { ...own(), Host: host })), /^HTTP\/1\.1 200 /);
    }
  });

  test('a request with a foreign Origin or Sec-Fetch-Site is refused', async () => {
    for (const path of ['/v1/board', '/v1/events/stream', '/healthz']) {
      for (const strange of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: `http://evil@127.0.0.1:${hall.port}` },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
      ]) {
        const answer = await raw(head(path, { ...own(), ...strange } as Record<string, string>));
        assert.match(answer, /^HTTP\/1\.1 403 /, `${path} ${JSON.stringify(strange)}`);
      }
    }
  });

  test('a request from a page of the hall itself is answered', async () => {
    const headers = {
      ...own(),
      Origin: `http://127.0.0.1:${hall.port}`,
      'Sec-Fetch-Site': 'same-origin',
    };
    assert.match(await raw(head('/v1/board', headers)), /^HTTP\/1\.1 200 /);
  });

  test('a request with a foreign Origin is refused even where auth.mode is none', async () => {
    await using open = await startHall({ auth: { mode: 'none' } });
    const strange = { headers: { origin: 'https://evil.example' } };
    assert.equal((await open.caller.post('/v1/pause', {}, strange)).status, 403);
    assert.equal((await open.caller.get('/v1/board', strange)).status, 403);
  });

  test('a refused Host is answered with the configuration key that allows it', async () => {
    const { status, body } = await hall.caller.get('/v1/board', { headers: { host: 'hall.lan' } });
    assert.deepEqual([status, body.code], [421, 'misdirected']);
    assert.match(body.detail, /does not accept the host hall\.lan; .* hall\.allowed_hosts/);
  });

  test('A50: a request with two Host headers is refused', async () => {
    const own = `127.0.0.1:${hall.port}`;
    const both = { Host: own, host: 'hall.lan' };
    assert.match(await raw(head('/healthz', both)), /^HTTP\/1\.1 421 [\s\S]*has two Host headers/);
    assert.match(await raw(head('/healthz', { Host: own })), /^HTTP\/1\.1 200 /);
  });

  test('a request under the public name or an allowed host is answered', async () => {
    await using known = await startHall({
      app: {
        address: {
          host: '127.0.0.1',
          port: 0,
          publicUrl: 'https://hall.example',
          moreHosts: ['hall.lan:4600'],
        },
      },
    });
    for (const host of ['hall.example', 'hall.lan:4600']) {
      const { status } = await known.caller.get('/v1/board', {
        headers: { host, origin: `https://${host}` },
      });
      assert.equal(status, 200, host);
    }
  });
});

describe('invalid HTTP', () => {
  test('a client that sends invalid HTTP gets a short error and is disconnected', async () => {
    assert.match(await raw('HELLO\r\n\r\n'), /^HTTP\/1\.1 400 /);
    const long = `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`;
    assert.match(await raw(long), /^HTTP\/1\.1 431 /);
  });

  test('invalid HTTP leaves no error in the log', () => {
    assert.deepEqual(hall.errors, []);
  });
});
