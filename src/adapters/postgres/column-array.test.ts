import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NodesOnPostgres, serverForFile } from '../../../test/support/postgres-nodes.ts';
import { columnArray } from './column-array.ts';

const server = await serverForFile();
const [url, skip] = 'missing' in server ? ['', server.missing] : [server.url, false];

const CELLS = {
  number: [0, 1, -1, 4_294_967_296, -4_294_967_297, null, Number.MAX_SAFE_INTEGER, -(2 ** 53) + 1],
  flag: [0, 1, null, -1],
  text: ['', 'plain', null, 'quoted "\\', 'Zürich', '日本', '👩‍🔬', '\u{1f600}'.repeat(300)],
} as const;

describe('a column of many rows', () => {
  for (const [kind, type] of [
    ['number', 'bigint'],
    ['flag', 'smallint'],
    ['text', 'text'],
  ] as const) {
    test(`a column of kind ${kind} reaches PostgreSQL unchanged`, { skip }, async () => {
      await using nodes = await NodesOnPostgres.on(url);
      const cells = CELLS[kind];
      const rows = await nodes.ask(`SELECT cell::text FROM unnest($1::${type}[]) AS cell`, [
        columnArray(kind, cells),
      ]);
      assert.deepEqual(
        rows.map(([cell]) => cell),
        cells.map((cell) => (cell === null ? null : String(cell))),
      );
    });
  }

  test('a column with a cell of another kind is refused', () => {
    for (const [kind, cell] of [
      ['number', 'th-1'],
      ['number', 1.5],
      ['number', 2 ** 53],
      ['flag', true],
      ['word', 7],
      ['text', {}],
    ] as const) {
      assert.throws(() => columnArray(kind, [cell]), {
        name: 'GroupRefused',
        message: `the group was not written: expected a ${kind}, got ${JSON.stringify(cell)}`,
      });
    }
  });
});
