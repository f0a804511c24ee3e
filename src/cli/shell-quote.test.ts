import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { shellQuote } from './shell-quote.ts';

it('a path is printed so that a shell reads it as one word', () => {
  assert.equal(shellQuote('/srv/hall-1/guildhall.yaml'), '/srv/hall-1/guildhall.yaml');
  for (const path of ['/srv/My Shop/x', "/srv/Ada's $HOME/`x`", '/srv/~*?\\ü']) {
    const read = execFileSync('sh', ['-c', `printf %s ${shellQuote(path)}`], { encoding: 'utf8' });
    assert.equal(read, path);
  }
});
