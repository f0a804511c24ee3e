import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dice } from '../../test/support/story.ts';
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
      ['re:ab+c', 'abbbc', true],
      ['re:a(bc)d', 'xabcdx', true],
      ['re:a(bc)?d', 'ad', true],
      ['re:a(b|c)d{2}e', 'acdde', true],
      ['re:x\\.y\\/z', 'x.y/z', true],
      ['re:x\\.y', 'xzy', false],
      ['re:a\\tb', 'a\tb', true],
      ['re:a\\b-', 'a-', true],
      ['*foo*b?r\\*', 'a foo bar*', true],
      ['*foo*b?r\\*', 'a foo bar', false],
      ['a\\b', 'a\\b', true],
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

  test('random patterns match the same texts as the regular expressions of JavaScript', () => {
    const roll = dice(7);
    const pick = (from: readonly string[]) => from[Math.floor(roll() * from.length)] ?? '';
    for (let n = 0; n < 5_000; n += 1) {
      const source = randomRegex(roll, pick);
      if (patternFault(`re:${source}`) !== undefined) continue;
      const [ours, native] = [compile(`re:${source}`), new RegExp(source)];
      for (let k = 0; k < 4; k += 1) {
        const text = Array.from({ length: roll() * 7 }, () => pick([...'abc1.-'])).join('');
        assert.equal(ours.matches(text), native.test(text), `${source} on ${text}`);
      }
    }
  });
});

const ONES = ['a', 'b', 'c', '.', '[ab]', '[^a]', '\\.', '\\-', '\\d', '1'];
const TIMES = ['*', '+', '?', '{2}', '{1,2}', '{0,2}'];

function randomRegex(
  roll: () => number,
  pick: (from: readonly string[]) => string,
  depth = 0,
): string {
  let source = '';
  for (let n = 0; n <= roll() * 4; n += 1) {
    const kind = roll();
    if (kind < 0.1) source += pick(['^', '$', '\\b']);
    else if (kind < 0.3 && depth < 2) {
      const [one, two]: readonly string[] = [1, 2].map(() => randomRegex(roll, pick, depth + 1));
      source += roll() < 0.5 ? `(${one})` : `(${one}|${two})`;
    } else source += pick(ONES);
    if (kind >= 0.1 && roll() < 0.3) source += pick(TIMES);
  }
  return source;
}
