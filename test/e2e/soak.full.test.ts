import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

/** About a minute of each on a quiet machine. */
const PARTS = {
  churn: ['--churn-minutes', '1'],
  restarts: ['--restart-minutes', '1'],
  kills: ['--kills', '20'],
  cuts: ['--cuts', '50'],
  flips: ['--flips', '200'],
};

describe('a short soak', () => {
  for (const [part, amount] of Object.entries(PARTS)) {
    test(`a short soak keeps every promise: ${part}`, (t) => {
      const args = [BENCH, 'soak', '--parts', part, ...amount];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr.slice(-2_000));
      const [, skipped] = /: skipped (.*) \(\d+ s\)/.exec(stdout) ?? [];
      if (skipped !== undefined) t.skip(skipped);
      else assert.match(stdout, new RegExp(`^soak ${part}: .* \\(\\d+ s\\)$`, 'm'));
    });
  }
});
