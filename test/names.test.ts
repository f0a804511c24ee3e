import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportedNamesSaySomething, fileNamesSaySomething } from './support/guards/names.ts';
import {
  INVENTED_WORDS,
  inventedWordsAreRetired,
  ORDINARY_WORDS,
  ordinaryWordsNameNothing,
} from './support/guards/retired-words.ts';
import { readTree } from './support/tree.ts';

const tree = readTree();

describe('empty words in names', () => {
  it('no file name and no exported name of this repository has an empty word', () => {
    assert.deepEqual([...fileNamesSaySomething(tree), ...exportedNamesSaySomething(tree)], []);
  });

  for (const path of [
    'src/board/claim-helpers.ts',
    'src/board/claim-v2.ts',
    'test/test-utils.ts',
  ]) {
    it(`an empty word is refused in the file name ${path}`, () => {
      assert.equal(fileNamesSaySomething([{ path, text: '' }]).length, 1);
    });
  }

  for (const text of [
    'export class TaskManager {}',
    'export const smartClaim = 1;',
    'export type ClaimV2 = 1;',
    'const a = 1; export { a as claimUtil };',
  ]) {
    it(`an empty word is refused in ${text}`, () => {
      assert.equal(exportedNamesSaySomething([{ path: 'src/board/a.ts', text }]).length, 1);
    });
  }

  it('an ordinary technical term in a name is not refused as an empty word', () => {
    const text =
      'export interface RequestHandler {}\nexport class Engine {}\nexport const CGROUP_V2 = 1;';
    assert.deepEqual(exportedNamesSaySomething([{ path: 'src/board/a.ts', text }]), []);
  });
});

describe('invented words', () => {
  it('no invented word is in this repository', () => {
    assert.deepEqual(inventedWordsAreRetired(tree), []);
  });

  for (const forms of Object.keys(INVENTED_WORDS)) {
    it(`the invented word is refused in text, code and paths: ${forms}`, () => {
      for (const word of forms.split('|')) {
        const camel = word.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
        for (const [path, text] of [
          ['docs/guide/agents.md', `It has a ${word} here.`],
          [
            'src/board/hall.ts',
            `const the${camel.replace(/^./, (first) => first.toUpperCase())}One = 1;`,
          ],
          ['src/board/hall.ts', `/** A ${word}. */`],
          [`src/board/${word.replaceAll(' ', '-')}.ts`, ''],
        ] as const) {
          assert.equal(inventedWordsAreRetired([{ path, text }]).length, 1, `${path}: ${text}`);
        }
      }
    });
  }

  it('an invented word is not found inside another word', () => {
    const text = 'island, slander, design, pulsed, siftings';
    assert.deepEqual(inventedWordsAreRetired([{ path: 'docs/a.md', text }]), []);
  });
});

describe('ordinary words with a retired meaning', () => {
  it('no file and no export of this repository is named with a retired word', () => {
    assert.deepEqual(ordinaryWordsNameNothing(tree), []);
  });

  for (const word of Object.keys(ORDINARY_WORDS)) {
    it(`the retired word is refused as a file name and as an export: ${word}`, () => {
      const exported = `export const ${word.replace(/^./, (first) => first.toUpperCase())} = 1;`;
      assert.equal(ordinaryWordsNameNothing([{ path: `src/a/${word}.ts`, text: '' }]).length, 1);
      assert.equal(ordinaryWordsNameNothing([{ path: 'src/a/b.ts', text: exported }]).length, 1);
    });
  }

  it('a retired word is refused as the last word of an export', () => {
    for (const name of ['TaskAsked', 'CellsTold', 'ChecksSaid']) {
      const text = `export interface ${name} {}`;
      assert.equal(ordinaryWordsNameNothing([{ path: 'src/a/b.ts', text }]).length, 1, name);
    }
  });

  it('a retired word is accepted in a sentence and as a local name', () => {
    const text = '/** When it is told to ask. */\nfunction f() { const when = 1; return when; }';
    assert.deepEqual(ordinaryWordsNameNothing([{ path: 'src/a/b.ts', text }]), []);
  });
});
