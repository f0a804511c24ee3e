import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memoryEditFault, memoryForPrompt } from './repository-memory.ts';

const OLD = '# Memory\n\n## Tests\n\nRun npm test.\n';

describe('the memory of a repository', () => {
  test('is offered whole when it is short', () => {
    assert.equal(memoryForPrompt(OLD), OLD);
  });

  test('is offered with its newest sections when it is long, and says so', () => {
    const section = (n: number) => `## Section ${n}\n\n${'x'.repeat(1_000)}\n\n`;
    const long = Array.from({ length: 100 }, (_, n) => section(n)).join('');
    const offered = memoryForPrompt(long);
    assert.ok(offered.length < 17_000, `${offered.length}`);
    assert.match(offered, /^\(older sections are omitted/);
    assert.ok(offered.endsWith(section(99)));
    assert.doesNotMatch(offered, /## Section 1\n/);
  });

  test('one section that is too long to be offered is not cut in the middle', () => {
    assert.equal(memoryForPrompt('y'.repeat(20_000)).includes('yy'), false);
  });

  for (const [name, before, after] of [
    ['a first section', null, '## Tests\n\nRun npm test.\n'],
    ['a first section under a title', null, OLD],
    ['a section at the end', OLD, `${OLD}\n## Style\n\nShort.\n`],
    ['two sections at the end', OLD, `${OLD}## Style\n\nShort.\n\n## Names\n\nPlain.\n`],
    ['blank lines at the end', OLD, `${OLD}\n\n`],
  ] as const) {
    test(`takes ${name}`, () => assert.equal(memoryEditFault(before, after), null));
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
    test(`refuses ${name}`, () => assert.match(memoryEditFault(before, after) ?? '', why));
  }
});
