import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compile, patternFault } from './pattern.ts';

describe('patterns of rules', () => {
  test('a glob matches the whole text, a regular expression any part of it', () => {
    const cases: readonly (readonly [pattern: string, text: string, fits: boolean])[] = [
      ['curl localhost*', 'curl localhost:80', true],
      ['curl localhost*', 'xcurl localhost', false],
      ['npm run *', 'npm run build && x', true],
      ['a?c', 'abc', true],
      ['a?c', 'ac', false],
      ['a\\*c', 'a*c', true],
      ['a\\*c', 'abc', false],
      ['a\\\\*', 'a\\bc', true],
      ['a\\\\*', 'a*', false],
      ['a\\', 'a\\', true],
      ['', '', true],
      ['re:^npm (run|test)\\b', 'npm test', true],
      ['re:^npm (run|test)\\b', 'npm tester', false],
      ['re:b{2,3}', 'abbc', true],
      ['re:^b{2,3}$', 'bbbb', false],
      ['re:[^a-c]+$', 'abcd', true],
      ['re:^[^a-c]+$', 'abcd', false],
      ['re:\\d+\\.\\d+', 'v 12.5', true],
      ['re:^a.c$', 'a\nc', false],
      ['re:^(?:ab)*$', 'ababab', true],
      ['re:^x?y*?z+$', 'yyzz', true],
      ['re:', 'anything', true],
      ['re:^curl\n|wget', 'wget x', true],
    ];
    for (const [pattern, text, fits] of cases) {
      assert.equal(patternFault(pattern), undefined, pattern);
      assert.equal(compile(pattern).matches(text), fits, `${pattern} on ${text}`);
      assert.equal(compile(pattern).matches(text), fits, `${pattern} on ${text}, again`);
    }
  });

  test('a pattern keeps no state from one text to the next', () => {
    const pattern = compile('re:^ab$');
    for (const [text, fits] of [
      ['ab', true],
      ['abab', false],
      ['ab', true],
      ['b', false],
    ] as const) {
      assert.equal(pattern.matches(text), fits, text);
    }
  });

  test('an invalid pattern is explained', () => {
    assert.equal(patternFault('re:(a'), 'has an unmatched (');
    assert.equal(patternFault('re:a)'), 'has an unmatched )');
    assert.equal(patternFault('re:[a'), 'has an unmatched [');
    assert.equal(patternFault('re:*a'), 'has nothing to repeat before *');
    assert.equal(patternFault('re:(?=a)'), 'uses (?, which is not supported');
    assert.equal(patternFault('re:(a)\\1'), 'uses the backreference \\1, which is not supported');
    for (const strange of ['x41', 'u0041', 'p{L}', 'B', '0']) {
      const because = `has the unknown escape \\${strange[0]}`;
      assert.equal(patternFault(`re:\\${strange}`), because);
      assert.equal(patternFault(`re:[a\\${strange}]`), because);
    }
    assert.equal(patternFault('re:((a{99}){99}){99}'), 'is too large');
    assert.match(patternFault('x'.repeat(1_001)) ?? '', /longer than/);
  });

  test('A35: a pattern built to cause exponential backtracking is matched quickly', () => {
    const text = `${'a'.repeat(5_000)}!`;
    for (const pattern of [
      're:^(a+)+$',
      're:^(a|a)*$',
      're:^(a|aa)+$',
      're:(.*)*x',
      '*a*a*a*a*b',
    ]) {
      assert.equal(compile(pattern).matches(text), false, pattern);
    }
  });
});
