import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAppendStatement, type Section } from './append-statement.ts';

const HEAD = { seq: 0, link: '' };
const MOVE = { epoch: 0, appendNumber: 0, from: HEAD, to: HEAD };

/** One for each bit: a table that is written to, or not. */
function shape(bits: number): readonly Section[] {
  const tables = [
    'event',
    'task',
    'thread',
    'run',
    'worker',
    'note',
    'settings',
    'run_log',
    'heartbeat',
  ] as const;
  return tables
    .filter((_, n) => (bits & (1 << n)) !== 0)
    .map((table) => ({ table, how: 'remove', rows: [[null, null]] }));
}

test('when append groups have very many shapes, only some become prepared statements', () => {
  const statement = createAppendStatement();
  const names = new Set<string | undefined>();
  for (let bits = 1; bits < 512; bits += 1) names.add(statement(MOVE, shape(bits)).name);
  assert.ok(names.has('append_0') && names.size < 300, `${names.size} names`);
  assert.equal(statement(MOVE, shape(1)).name, 'append_0');
});
