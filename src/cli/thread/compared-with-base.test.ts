import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedWithBase } from './compared-with-base.ts';

const base = { branch: 'main', commit: '0123456789abcdef', failing: ['tests', 'lint'] };

test('thread show names the checks that were red before the branch, and those that it mended', () => {
  const checks = { commit: 'c1', is: 'red', failing: ['tests', 'docs'], base } as const;
  const shown = comparedWithBase({ ...checks, failing: [...checks.failing], mended: ['lint'] });
  assert.deepEqual(shown, [
    'red on main at 0123456789ab already: tests',
    'mended: lint (red on main at 0123456789ab)',
  ]);
});

test('thread show says nothing about a base whose checks have not run', () => {
  const unknown = { ...base, failing: null };
  const checks = { commit: 'c1', is: 'green', failing: [], mended: [] } as const;
  const plain = { ...checks, failing: [], mended: [] };
  assert.deepEqual(comparedWithBase({ ...plain, base: unknown }), []);
  assert.deepEqual(comparedWithBase({ ...plain, base: null }), []);
});
