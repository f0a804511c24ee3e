import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanMessage } from './clean-message.ts';

describe('the message of a commit', () => {
  it('a commit message keeps its text and ends with the trailers of the host', () => {
    assert.equal(
      cleanMessage('Add a thing\r\n\r\n\r\n\r\nBecause.\n', ['Co-authored-by: Hall <h@hall.test>']),
      'Add a thing\n\nBecause.\n\nCo-authored-by: Hall <h@hall.test>\n',
    );
  });

  it('a commit message loses invisible characters, foreign trailers and marks that skip CI', () => {
    const message =
      'Add\u0000 \u001b[31ma\u202E thing [skip ci]\n\nSigned-off-by: Boss <b@hall.test>\nreviewed-by: Boss\nskip-checks: true\n';
    assert.equal(cleanMessage(message, []), 'Add [31ma thing\n');
  });

  it('an empty commit message is replaced, and a long one is truncated', () => {
    assert.equal(cleanMessage(' \n', []), 'Commit without a message\n');
    assert.equal(cleanMessage('a'.repeat(1_000_000), []).length, 20_001);
  });
});
