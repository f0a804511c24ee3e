import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asWork, gitFixture, type OpenCheckout } from '../../support/git-fixture.ts';

interface Case {
  readonly person: readonly string[];
  readonly agent: readonly string[];
  readonly refused: readonly (readonly [path: string, other: string])[];
}

/** What a person has in a folder, what an agent adds there, and the added names that are refused. */
const NAMES: Readonly<Record<string, Case>> = {
  'files in another case': {
    person: ['readme.md'],
    agent: ['README.md'],
    refused: [['README.md', 'readme.md']],
  },
  'folders in another case': { person: ['src/a'], agent: ['SRC/b'], refused: [['SRC', 'src']] },
  'two new files': {
    person: [],
    agent: ['x/Makefile', 'x/makefile'],
    refused: [
      ['x/Makefile', 'x/makefile'],
      ['x/makefile', 'x/Makefile'],
    ],
  },
  'composed and decomposed characters': {
    person: ['caf\u00e9.md'],
    agent: ['cafe\u0301.md'],
    refused: [['cafe\u0301.md', 'caf\u00e9.md']],
  },
  'letters whose case folds to two': {
    person: ['stra\u00dfe.md'],
    agent: ['STRASSE.md'],
    refused: [['STRASSE.md', 'stra\u00dfe.md']],
  },
  'a dot at the end': { person: ['a'], agent: ['a.'], refused: [['a.', 'a']] },
  'files of two folders that a person keeps apart': {
    person: ['Lib/a', 'lib/b'],
    agent: ['Lib/b', 'lib/c'],
    refused: [['Lib/b', 'lib/b']],
  },
  'files beside names that a person keeps apart': {
    person: ['x/Makefile', 'x/makefile'],
    agent: ['x/other', 'X2/Makefile'],
    refused: [],
  },
};

describe('names that some file system cannot tell apart', () => {
  it('A30: an added name that differs from another only in case or composition is refused', async () => {
    using fixture = gitFixture();
    const cases = Object.entries(NAMES).map(([what, each], at) => ({
      what,
      at: `${at}/`,
      ...each,
    }));
    fixture.commitUpstream(
      files(cases.flatMap(({ at, person }) => person.map((name) => at + name))),
    );
    const begun = await fixture.begin(await fixture.mirror());
    begun.write(files(cases.flatMap(({ at, agent }) => agent.map((name) => at + name))));
    const found = await refusedNames(begun);
    for (const { what, at, refused } of cases) {
      const own = found.filter(([path]) => path.startsWith(at));
      const expected = refused.map(([path, other]) => [at + path, at + other]);
      assert.deepEqual(own.toSorted(), expected.toSorted(), what);
    }
  });

  it('A30: a name that collides in one commit is refused although a later commit removed it', async () => {
    using fixture = gitFixture();
    const begun = await fixture.begin(await fixture.mirror());
    begun.write({ 'README.md': 'x\n', 'b.txt': 'x\n' });
    begun.git('add', '.');
    begun.git('commit', '--quiet', '-m', 'Add');
    begun.git('rm', '--quiet', 'README.md');
    assert.deepEqual(await refusedNames(begun), [['README.md', 'readme.md']]);
  });

  it('A30: a name that collides with one that others merged meanwhile is refused', async () => {
    using fixture = gitFixture();
    const begun = await fixture.begin(await fixture.mirror());
    begun.write({ 'Guide.md': 'x\n' });
    begun.git('add', '.');
    begun.git('commit', '--quiet', '-m', 'Add');
    const theirs = fixture.commitUpstream({ 'guide.md': 'y\n' });
    await fixture.mirror();
    begun.git('merge', '--quiet', '--no-edit', theirs);
    assert.deepEqual(await refusedNames(begun), [['Guide.md', 'guide.md']]);
  });

  it('a file that is renamed to another case is accepted', async () => {
    using fixture = gitFixture();
    const begun = await fixture.begin(await fixture.mirror());
    begun.git('mv', 'readme.md', 'README.md');
    assert.deepEqual(await refusedNames(begun), []);
  });
});

function files(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, `${path}\n`]));
}

async function refusedNames(begun: OpenCheckout): Promise<[string, string][]> {
  const { findings } = asWork(await begun.harvest());
  return findings.map(({ kind, path, blocks, because }): [string, string] => {
    assert.deepEqual([kind, blocks], ['hostile_entry', true]);
    return [path, /^some file systems cannot tell its name from (.*)$/.exec(because)?.[1] ?? ''];
  });
}
