import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { freePort } from '../../test/support/free-port.ts';
import { serving } from '../../test/support/serving.ts';
import { sendRequest } from './send-request.ts';

describe('a request of a command', () => {
  it('a request carries method, headers and body, and the reply has status, headers and text', async () => {
    await using server = await serving(async (request, response) => {
      const got = `${request.method} ${request.headers['x-key']} ${await text(request)}`;
      response.writeHead(201, { 'Retry-After': '7' }).end(`${got} grün`);
    });
    const headers = { 'x-key': 'k' };
    const reply = await sendRequest(server.url, { method: 'POST', headers, body: '{"ä":1}' });
    assert.deepEqual([reply.status, reply.ok], [201, true]);
    assert.equal(reply.headers.get('retry-after'), '7');
    assert.equal(reply.headers.get('date-of-birth'), null);
    assert.equal(await reply.text(), 'POST k {"ä":1} grün');
  });

  it('a redirect is not followed', async () => {
    await using server = await serving((_, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end();
    });
    const { status, ok } = await sendRequest(server.url, {});
    assert.deepEqual([status, ok], [307, false]);
  });

  it('a request to a closed port fails with what the system says, for a name too', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', 'localhost']) {
      await assert.rejects(
        sendRequest(`http://${host}:${port}`, {}),
        /connect ECONNREFUSED .*:\d+$/,
      );
    }
  });

  it('a reply that is cut off is a failure', async () => {
    await using server = await serving((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half of it', () => response.destroy());
    });
    await assert.rejects(sendRequest(server.url, {}), { code: 'ECONNRESET' });
  });

  it('a request ends when its signal aborts', async () => {
    const stop = new AbortController();
    await using server = await serving(() => stop.abort());
    await assert.rejects(sendRequest(server.url, { signal: stop.signal }), { name: 'AbortError' });
  });
});
