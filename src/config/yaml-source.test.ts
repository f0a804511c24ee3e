import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spellMistake } from './mistake.ts';
import { parseYaml } from './yaml-source.ts';

function told(text: string): readonly string[] {
  const source = parseYaml('hall.yaml', text);
  return 'value' in source ? [] : source.map(spellMistake);
}

describe('a file that could not be walked through is refused where it begins to be so', () => {
  it('an alias within what it names', () => {
    const says = 'is not valid YAML: *h stands within what it names';
    assert.deepEqual(told('hall: &h\n  data: *h\n'), [`hall.yaml:2:9 ${says}`]);
    assert.deepEqual(told('a: &h [[{ b: [*h] }]]\n'), [`hall.yaml:1:15 ${says}`]);
  });

  it('aliases that grow', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const lines = names.map((name, at) => {
      const below = at === 0 ? 'x' : `*${names[at - 1]}`;
      return `${name}: &${name} [${Array(9).fill(below).join(', ')}]\n`;
    });
    const [fault = ''] = told(lines.join(''));
    assert.match(
      fault,
      /^hall\.yaml:6:\d+ is not valid YAML: its aliases grow into too many copies$/,
    );
  });

  it('a depth without end', () => {
    for (const depth of [100, 100_000]) {
      const [fault = ''] = told('['.repeat(depth) + ']'.repeat(depth));
      assert.match(fault, /^hall\.yaml:1:\d+ is not valid YAML: it is nested too deep/);
    }
  });

  it('an alias beside what it names is read', () => {
    const source = parseYaml('hall.yaml', 'a: &x { b: 1 }\nc: [*x, *x]\n');
    assert.deepEqual('value' in source && source.value, { a: { b: 1 }, c: [{ b: 1 }, { b: 1 }] });
  });
});
