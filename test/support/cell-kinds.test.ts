import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CellRefused } from '../../src/ports/cell.ts';
import { buildOrSayWhy, type CellKind } from './cell-kinds.ts';

const REFUSING: CellKind = {
  name: 'refusing',
  part: undefined,
  keeps: { wholeTree: true, isolates: true },
  build: async () => {
    throw new CellRefused('no isolation here');
  },
};

describe('a kind of cell that the product refuses to build', () => {
  it('where no engine works, a kind of cell that cannot be built counts as missing, and its tests are skipped', async () => {
    assert.deepEqual(await buildOrSayWhy(REFUSING), { missing: 'no isolation here' });
    const kind = { ...REFUSING, hasWorkingEngine: () => false };
    assert.deepEqual(await buildOrSayWhy(kind), { missing: 'no isolation here' });
  });

  it('a kind of cell that cannot be built fails its tests where the engine works', async () => {
    const kind = { ...REFUSING, hasWorkingEngine: () => true };
    await assert.rejects(buildOrSayWhy(kind), /no isolation here/);
  });
});
