import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Cell, CellEnd } from '../../ports/cell.ts';
import { runInCell } from './run-in-cell.ts';

test('a program whose output cannot be stored is killed', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<CellEnd>();
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    resolve({ code: null, signal: 'SIGKILL', limit: null });
  };
  const cell = {
    paths: { work: '/work', home: '/home' },
    start: () => ({
      stdin: { write: () => true, end: () => undefined },
      stdout: Readable.from([Buffer.from('a')]),
      stderr: Readable.from([]),
      ended,
      kill,
    }),
  } as unknown as Cell;
  const onOutput = () => {
    throw new Error('no space left on device');
  };
  await assert.rejects(
    runInCell(cell, { script: 'cat', args: [], seconds: 60, onOutput }),
    /no space left/,
  );
  assert.ok(isKilled);
});
