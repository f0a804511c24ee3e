import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openEgress } from '../../../src/adapters/egress/proxy.ts';
import { cellFixture, run } from '../../support/cell-fixture.ts';
import { buildOrSayWhy, type CellKind } from '../../support/cell-kinds.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export function listedHost(kind: CellKind): void {
  test(`D22: a program in a cell reaches an allowed host through its proxy and no other host: ${kind.name}`, async (t) => {
    const cells = await buildOrSayWhy(kind);
    if ('missing' in cells) return t.skip(cells.missing);
    using folder = tempFolder();
    const host = createServer((_, response) => response.end('reached')).listen(0, '0.0.0.0');
    await once(host, 'listening');
    const address = host.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const socket = folder.file('egress.sock');
    const names: string[] = [];
    {
      await using _proxy = await openEgress({
        socket,
        allowed: [`good.example:${port}`, `127.0.0.2:${port}`],
        onDecision: ({ allowed, host: name }) => names.push(`${name} ${allowed}`),
        resolve: async () => ['127.0.0.2'],
      });
      await using fixture = cellFixture(cells);
      const cell = await fixture.cell({ sockets: { egress: socket } });
      const get = (url: string) =>
        run(cell, ['node', '-e', GET, String(cell.proxies.egress), `http://${url}:${port}/`]);

      assert.equal((await get('good.example')).out, '200 reached');
      assert.match((await get('evil.example')).out, /^403 /);
      assert.match((await get('127.0.0.1')).out, /^403 /);
    }
    host.closeAllConnections();
    host.close();
    assert.deepEqual(names, ['good.example true', 'evil.example false', '127.0.0.1 false']);
  });
}

const GET = `
  const [, door, url] = process.argv;
  const { hostname, port } = new URL(door);
  const headers = { host: new URL(url).host };
  require('node:http').get({ hostname, port, path: url, headers }, async (answer) => {
    let text = '';
    for await (const chunk of answer) text += chunk;
    process.stdout.write(answer.statusCode + ' ' + text);
  });`;
