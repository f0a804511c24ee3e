import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe } from 'node:test';
import { KINDS, testsWith } from '../../../test/support/cell-kinds.ts';
import { rerunAsOrdinaryUser } from '../../../test/support/ordinary-user.ts';

describe('an ordinary user', {
  skip: process.getuid?.() !== 0 && 'only root can become another',
}, () => {
  const test = testsWith(KINDS.sandbox);

  test('an ordinary user gets the same sandboxes as root', async () => {
    const rerun = await rerunAsOrdinaryUser(join(import.meta.dirname, 'sandbox.test.ts'));
    assert.deepEqual(
      { code: rerun.code, failed: rerun.failed },
      { code: 0, failed: 0 },
      rerun.output,
    );
    assert.equal(rerun.passed > 20, true, rerun.output);
  });

  test('the self-test of a sandbox passes for an ordinary user', async () => {
    const rerun = await rerunAsOrdinaryUser(join(import.meta.dirname, 'verify-isolation.test.ts'));
    assert.equal(rerun.code, 0, rerun.output);
    assert.equal(rerun.passed > 10, true, rerun.output);
  });
});
