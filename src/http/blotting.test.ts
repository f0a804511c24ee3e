import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createBlot } from './blotting.ts';

describe('secrets that the hall knows', () => {
  const long = 'opensesame-and-the-rest';
  const blot = createBlot(() => ['opensesame', long, 'say "friend"\\enter']);

  test('P11: one that begins like another leaves nothing of itself', () => {
    assert.equal(blot(`it is ${long}.`), 'it is [redacted].');
  });

  test('P11: are found where a program printed them as JSON', () => {
    const printed = JSON.stringify({ word: 'say "friend"\\enter' });
    assert.equal(blot(printed), '{"word":"[redacted]"}');
  });

  test('P11: are taken out of whatever holds them', () => {
    assert.deepEqual(blot({ a: [{ b: 'opensesame' }], c: null, d: 1 }), {
      a: [{ b: '[redacted]' }],
      c: null,
      d: 1,
    });
  });
});
