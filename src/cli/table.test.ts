import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Column, table } from './table.ts';

interface Row {
  readonly id: string;
  readonly count: number;
  readonly title: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'COUNT', cell: ({ count }) => count, align: 'right' },
  { head: 'TITLE', cell: ({ title }) => title },
];

const ROWS: readonly Row[] = [
  { id: 't-1', count: 7, title: 'Show prices with tax' },
  { id: 't-1234', count: 12, title: '価格' },
];

describe('a table', () => {
  it('a coloured cell keeps its width and the head has no colour', () => {
    const columns: readonly Column<Row>[] = [
      { head: 'ID', cell: ({ id }) => id, colour: ({ count }) => (count > 7 ? 'red' : undefined) },
      { head: 'TITLE', cell: ({ title }) => title },
    ];
    const lines = table(columns, ROWS, undefined, (text, colour) => `<${colour}>${text}</>`);
    assert.deepEqual(lines.split('\n'), [
      'ID      TITLE',
      't-1     Show prices with tax',
      '<red>t-1234</>  価格',
    ]);
  });

  it('a table aligns columns under their heads and numbers to the right', () => {
    assert.equal(
      table(COLUMNS, ROWS, undefined),
      ['ID      COUNT  TITLE', 't-1         7  Show prices with tax', 't-1234     12  価格'].join(
        '\n',
      ),
    );
  });

  it('a table cuts its last column to the width of the terminal', () => {
    const lines = table(COLUMNS, ROWS, 25).split('\n');
    assert.equal(lines[1], 't-1         7  Show pric…');
  });

  it('a table escapes control characters in its cells', () => {
    const text = table(COLUMNS, [{ id: 'a', count: 1, title: 'x\u001b[2Jy\nz' }], undefined);
    assert.equal(text.split('\n')[1], 'a       1  x\\x1b[2Jy\\nz');
  });
});
