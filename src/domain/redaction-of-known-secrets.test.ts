import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRedactor } from './redaction.ts';

describe('secrets that the hall knows', () => {
  const long = 'opensesame-and-the-rest';
  const redact = createRedactor(() => ['opensesame', long, 'say "friend"\\enter']);

  test('P11: one that begins like another leaves nothing of itself', () => {
    assert.equal(redact(`it is ${long}.`), 'it is [redacted].');
  });

  test('P11: are found where a program printed them as JSON', () => {
    const printed = JSON.stringify({ word: 'say "friend"\\enter' });
    assert.equal(redact(printed), '{"word":"[redacted]"}');
  });

  test('P11: are taken out of whatever holds them', () => {
    assert.deepEqual(redact({ a: [{ b: 'opensesame' }], c: null, d: 1 }), {
      a: [{ b: '[redacted]' }],
      c: null,
      d: 1,
    });
  });
});
