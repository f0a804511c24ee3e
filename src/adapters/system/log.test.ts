import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLog } from './log.ts';

describe('the log', () => {
  test('P11: the log contains no secret, not even one that JSON escapes', () => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) }, () => ['say "friend"\\enter']);
    log.info('heard', { words: 'they say "friend"\\enter here' });
    assert.equal(JSON.parse(lines.join('')).words, 'they [secret] here');
  });
});
