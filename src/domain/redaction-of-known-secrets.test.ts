import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRedactor } from './redaction.ts';

describe('redaction of known secrets', () => {
  const long = 'opensesame-and-the-rest';
  const redact = createRedactor(() => ['opensesame', long, 'say "friend"\\enter']);

  test('P11: a known secret that begins like another is redacted completely', () => {
    assert.equal(redact(`it is ${long}.`), 'it is [redacted].');
  });

  test('P11: known secrets are redacted in JSON output', () => {
    const printed = JSON.stringify({ word: 'say "friend"\\enter' });
    assert.equal(redact(printed), '{"word":"[redacted]"}');
  });

  test('P11: a known secret of several lines is redacted line by line', () => {
    const lines = ['-----BEGIN ODD KEY-----', 'c29tZSBvZiB0aGUga2V5', 'short'];
    const redactLine = createRedactor(() => [lines.join('\n')]);
    assert.deepEqual(redactLine(lines), ['[redacted]', '[redacted]', 'short']);
    assert.equal(redactLine(lines.join('\n')), '[redacted]');
  });

  test('P11: known secrets are redacted in any value that contains them', () => {
    assert.deepEqual(redact({ a: [{ b: 'opensesame' }], c: null, d: 1 }), {
      a: [{ b: '[redacted]' }],
      c: null,
      d: 1,
    });
  });
});
