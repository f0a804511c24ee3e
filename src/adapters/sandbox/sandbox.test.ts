import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellLimitsContract } from '../../../test/contracts/cell-limits.contract.ts';
import { cellsContract } from '../../../test/contracts/cells.contract.ts';
import { buildOrSayWhy, KINDS } from '../../../test/support/cell-kinds.ts';
import { rerunAsOrdinaryUser } from '../../../test/support/ordinary-user.ts';

cellsContract(KINDS.sandbox);
cellLimitsContract(KINDS.sandbox);

if (process.getuid?.() === 0) {
  test('an ordinary user has the same cells', async (t) => {
    const cells = await buildOrSayWhy(KINDS.sandbox);
    if ('missing' in cells) return t.skip(cells.missing);
    const { code, passed, failed, output } = await rerunAsOrdinaryUser(import.meta.filename);
    assert.deepEqual({ code, failed }, { code: 0, failed: 0 }, output);
    assert.equal(passed > 20, true, output);
  });
}
