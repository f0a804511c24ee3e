import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { jobIn, openAgentFixture, recordCallbacks } from '../../../test/support/agent-fixture.ts';
import { withoutAgentSdk } from '../../../test/support/agent-sdk-part.ts';
import { MCP_SERVER, mcpAnswer } from '../../../test/support/mcp-server.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Cell } from '../../ports/cell.ts';
import { openEgress } from '../egress/proxy.ts';
import { createClaudeRunner } from './runner.ts';
import { startScriptedModel } from './scripted/server.ts';

const runner = createClaudeRunner({ retries: 2 });

describe('the tools of MCP servers', { skip: withoutAgentSdk() }, () => {
  it('an agent has only the tools that it is allowed, of its task and of its MCP servers', async () => {
    await using model = await scripted(`
      - use:
          - { tool: mcp__place__where, input: {} }
          - { tool: mcp__place__wipe, input: {} }
          - { tool: mcp__other__where, input: {} }
          - { tool: Write, input: { file_path: one, content: x } }
          - { tool: Bash, input: { command: touch two } }
      - use: { tool: mcp__hall__report, input: { summary: done } }`);
    await using fixture = await openAgentFixture(model.url);
    const program = fixture.folder.file('server.mjs');
    writeFileSync(program, MCP_SERVER);
    const callbacks = recordCallbacks();
    const place = { name: 'place', command: [process.execPath, program] };
    const allowedTools = ['Bash', 'mcp__place__where'];
    const job = jobIn(fixture.cell, { allowedTools, mcpServers: [place] });
    const end = await runner.run(job, callbacks);
    assert.equal(end.how, 'stopped', JSON.stringify(end));
    const { tools } = model.requests[0]?.conversation ?? assert.fail('not asked');
    const builtIn = tools.filter(({ name }) => !name.startsWith('mcp__'));
    assert.deepEqual(
      builtIn.map(({ name }) => name),
      ['Bash'],
    );
    assert.deepEqual(
      callbacks.asked.map(({ tool }) => tool),
      ['mcp__place__where', 'Bash'],
    );
    const results = callbacks.transcript.map(({ text }) => text).join('\n');
    assert.match(results, new RegExp(`where says ${fixture.cell.paths.work}`));
    assert.match(results, /mcp__place__wipe is not one of this agent's tools/);
    assert.deepEqual([has(fixture.cell, 'one'), has(fixture.cell, 'two')], [false, true]);
  });

  it('an MCP server at an address is reached through the proxy of the cell only, and one that is not is named in the transcript', async () => {
    await using model = await scripted(`
      - use: [{ tool: mcp__good__where, input: {} }, { tool: mcp__bad__where, input: {} }]
      - use: { tool: mcp__hall__report, input: { summary: done } }`);
    using folder = tempFolder();
    const server = createServer(serveMcp).listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const egress = folder.file('egress.sock');
    const decided = new Set<string>();
    {
      await using _proxy = await openEgress({
        socket: egress,
        allowed: [`good.example:${port}`, `127.0.0.2:${port}`],
        onDecision: ({ host, allowed }) => decided.add(`${host} ${allowed}`),
        resolve: async () => ['127.0.0.2'],
      });
      await using fixture = await openAgentFixture(model.url, egress);
      const callbacks = recordCallbacks();
      const at = (name: string) => ({ name, url: `http://${name}.example:${port}/mcp` });
      const mcpServers = [at('good'), at('bad'), { name: 'gone', command: ['no-such-program'] }];
      const end = await runner.run(jobIn(fixture.cell, { mcpServers }), callbacks);
      assert.equal(end.how, 'stopped', JSON.stringify(end));
      const results = callbacks.transcript.map(({ text }) => text).join('\n');
      assert.match(results, /^where was called$/m);
      assert.match(results, /the MCP server bad is not available: /);
      assert.match(results, /the MCP server gone is not available: failed/);
      assert.deepEqual(
        callbacks.asked.map(({ tool }) => tool),
        ['mcp__good__where'],
      );
    }
    server.closeAllConnections();
    server.close();
    assert.deepEqual([...decided].sort(), ['bad.example false', 'good.example true']);
  });
});

async function serveMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const result = text === '' ? undefined : mcpAnswer(JSON.parse(text));
  if (result === undefined) response.writeHead(text === '' ? 405 : 202).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
}

function scripted(steps: string) {
  const script = `scenes:\n  - name: only\n    steps:\n      ${steps.trimStart()}`;
  return startScriptedModel({ script });
}

function has(cell: Cell, file: string): boolean {
  return existsSync(join(cell.paths.work, file));
}
