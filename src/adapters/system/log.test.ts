import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLog } from './log.ts';

describe('the log', () => {
  test('P11: holds no secret, also one that JSON spells otherwise', () => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) }, () => ['say "friend"\\enter']);
    log.info('heard', { words: 'they say "friend"\\enter here' });
    assert.equal(JSON.parse(lines.join('')).words, 'they [secret] here');
  });
});
