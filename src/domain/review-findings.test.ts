import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findingsIn, repeatedFindings } from './review-findings.ts';

describe('the findings of a review', () => {
  const cases: readonly (readonly [
    string,
    string,
    readonly (readonly [string, number | null])[],
  ])[] = [
    [
      'a paragraph each',
      'Good work.\n\nsrc/a.ts:12: off by one.\n\n`lib/b.ts`: no test.',
      [
        ['src/a.ts', 12],
        ['lib/b.ts', null],
      ],
    ],
    [
      'a list',
      '- src/a.ts:1 leaks\n- src/b.ts:2 too',
      [
        ['src/a.ts', 1],
        ['src/b.ts', 2],
      ],
    ],
    ['a range of lines', '1. src/a.ts:3-9: too long', [['src/a.ts', 3]]],
    ['no place', 'Please write a test. It is e.g. missing.', []],
  ];
  for (const [form, text, expected] of cases) {
    test(form, () => {
      assert.deepEqual(
        findingsIn(text).map(({ path, line }) => [path, line]),
        expected,
      );
    });
  }

  test('those that were raised before are recognised, also when lines and words moved a little', () => {
    const before = findingsIn('src/a.ts:12: the loop misses the last element of the list');
    const now = findingsIn(
      'src/a.ts:15: loop still misses the last element of the list\n\nsrc/b.ts:1: the loop misses the last element of the list\n\nsrc/a.ts:3: unused import',
    );
    assert.deepEqual(
      repeatedFindings(now, before).map(({ line }) => line),
      [15],
    );
  });
});
