import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memoryEditFault, memoryForPrompt } from './repository-memory.ts';

const OLD = '# Memory\n\n## Tests\n\nRun npm test.\n';

describe('the memory of a repository', () => {
  test('a short repository memory is in the prompt in full', () => {
    assert.equal(memoryForPrompt(OLD), OLD);
  });

  test('a long repository memory is in the prompt with its newest sections and a note about the omission', () => {
    const section = (n: number) => `## Section ${n}\n\n${'x'.repeat(1_000)}\n\n`;
    const long = Array.from({ length: 100 }, (_, n) => section(n)).join('');
    const offered = memoryForPrompt(long);
    assert.ok(offered.length < 17_000, `${offered.length}`);
    assert.match(offered, /^\(older sections are omitted/);
    assert.ok(offered.endsWith(section(99)));
    assert.doesNotMatch(offered, /## Section 1\n/);
  });

  test('a section of the repository memory that is too long is omitted, not cut', () => {
    assert.equal(memoryForPrompt('y'.repeat(20_000)).includes('yy'), false);
  });

  for (const [name, before, after] of [
    ['a first section', null, '## Tests\n\nRun npm test.\n'],
    ['a first section under a title', null, OLD],
    ['a section at the end', OLD, `${OLD}\n## Style\n\nShort.\n`],
    ['two sections at the end', OLD, `${OLD}## Style\n\nShort.\n\n## Names\n\nPlain.\n`],
    ['blank lines at the end', OLD, `${OLD}\n\n`],
  ] as const) {
    test(`the repository memory accepts ${name}`, () =>
      assert.equal(memoryEditFault(before, after), null));
  }

  for (const [name, before, after, why] of [
    ['a removal', OLD, null, /removed/],
    ['an empty file', OLD, '', /was changed/],
    ['another word in an old section', OLD, OLD.replace('npm', 'make'), /was changed/],
    ['a section before the others', OLD, `## New\n\nFirst.\n\n${OLD}`, /was changed/],
    ['words at the end of an old line', OLD, `${OLD.trimEnd()} Or not.\n`, /was changed/],
    ['words without a heading', OLD, `${OLD}\nAlso this.\n`, /heading/],
    ['a sea of blank lines', OLD, `${OLD}${'\n'.repeat(5_000)}`, /4000 are allowed/],
    ['a section far below', OLD, `${OLD}${'\n'.repeat(5_000)}## Tail\n`, /4000 are allowed/],
    ['a book', OLD, `${OLD}\n## Book\n\n${'z'.repeat(5_000)}\n`, /4000 are allowed/],
  ] as const) {
    test(`the repository memory refuses ${name}`, () =>
      assert.match(memoryEditFault(before, after) ?? '', why));
  }
});
