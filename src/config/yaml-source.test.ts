import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spellMistake } from './mistake.ts';
import { parseYaml } from './yaml-source.ts';

function mistakesIn(text: string): readonly string[] {
  const source = parseYaml('hall.yaml', text);
  return 'value' in source ? [] : source.map(spellMistake);
}

describe('YAML that cannot be expanded is refused with its position', () => {
  it('an alias inside the value it refers to is refused', () => {
    const message = 'is not valid YAML: the alias *h is inside the value it refers to';
    assert.deepEqual(mistakesIn('hall: &h\n  data: *h\n'), [`hall.yaml:2:9 ${message}`]);
    assert.deepEqual(mistakesIn('a: &h [[{ b: [*h] }]]\n'), [`hall.yaml:1:15 ${message}`]);
  });

  it('aliases that expand to too many copies are refused', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const lines = names.map((name, at) => {
      const below = at === 0 ? 'x' : `*${names[at - 1]}`;
      return `${name}: &${name} [${Array(9).fill(below).join(', ')}]\n`;
    });
    const [fault = ''] = mistakesIn(lines.join(''));
    assert.match(
      fault,
      /^hall\.yaml:6:\d+ is not valid YAML: its aliases expand to too many copies$/,
    );
  });

  it('a mistake in the syntax is one sentence without terms of the parser', () => {
    for (const [text, place, says] of [
      ['hall:\n\tdata: x\n', '2:1', 'this line is indented with a tab; use spaces'],
      ['a: b: c\n', '1:4', 'a line can have only one "key: value"'],
      ['a: [1, 2\nb: 3\n', '2:1', ''],
      ['a: 1\nb\n', '2:1', 'a colon, bracket, quote or comma is missing here'],
    ] as const) {
      const mistakes = mistakesIn(text);
      assert.equal(mistakes.length, 1, text);
      assert.ok(
        mistakes[0]?.startsWith(`hall.yaml:${place} is not valid YAML: ${says}`),
        mistakes[0],
      );
    }
  });

  it('nesting that is too deep is refused', () => {
    for (const depth of [100, 100_000]) {
      const [fault = ''] = mistakesIn('['.repeat(depth) + ']'.repeat(depth));
      assert.match(fault, /^hall\.yaml:1:\d+ is not valid YAML: it is nested too deeply/);
    }
  });

  it('an alias outside the value it refers to is read', () => {
    const source = parseYaml('hall.yaml', 'a: &x { b: 1 }\nc: [*x, *x]\n');
    assert.deepEqual('value' in source && source.value, { a: { b: 1 }, c: [{ b: 1 }, { b: 1 }] });
  });
});
