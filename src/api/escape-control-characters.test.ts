import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { visible, visibleLines } from './escape-control-characters.ts';

describe('text from the board on a terminal', () => {
  it('characters that move the cursor or change colours are escaped', () => {
    assert.equal(visible('a\u001b[31mred\u001b[0m'), 'a\\x1b[31mred\\x1b[0m');
    assert.equal(visible('one\rtwo\u0007\u009b2J'), 'one\\rtwo\\x07\\x9b2J');
  });

  it('characters that change the text direction or hide letters are escaped', () => {
    assert.equal(visible('cod\u202egpj.exe'), 'cod\\u202egpj.exe');
    assert.equal(visible('pay\u200bpal'), 'pay\\u200bpal');
  });

  it('a title stays on one line, a body keeps its line breaks', () => {
    assert.equal(visible('a\nb'), 'a\\nb');
    assert.equal(visibleLines('a\r\n\tb\u001b'), 'a\n    b\\x1b');
  });

  it('ordinary text in any language is unchanged', () => {
    assert.equal(visible('Größe – 価格 ✓'), 'Größe – 価格 ✓');
  });
});
