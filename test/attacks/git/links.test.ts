import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import {
  asWork,
  type GitFixture,
  gitFixture,
  type OpenCheckout,
} from '../../support/git-fixture.ts';

type Links = Readonly<Record<string, string>>;

interface Chain {
  readonly person?: Links;
  readonly agent: Links;
  readonly leaves: readonly string[];
}

/** The links that a person left in the repository, those of an agent, and which must be refused. */
const CHAINS: Readonly<Record<string, Chain>> = {
  'through a link to the root': {
    agent: { 'a/b/top': '../..', 'a/b/out': 'top/../x' },
    leaves: ['a/b/out'],
  },
  'through a link that a person made': {
    person: { 'b/b/top': '../..' },
    agent: { 'b/b/out': 'top/../x' },
    leaves: ['b/b/out'],
  },
  'an older link, led out by a new one': {
    person: { 'c/b/out': 'c/../../x' },
    agent: { 'c/b/c': '..' },
    leaves: ['c/b/out'],
  },
  'through three others': {
    agent: { 'd/one': '..', 'd/two': 'one/d/one', 'd/three': 'two/.', 'd/out': 'three/../x' },
    leaves: ['d/out'],
  },
  'into .git': { agent: { 'e/top': '..', 'e/out': 'top/.GIT/config' }, leaves: ['e/out'] },
  'through a link whose name has another case': {
    agent: { 'f/Top': '..', 'f/out': 'tOP/../x' },
    leaves: ['f/out'],
  },
  'to a drive of Windows': { agent: { 'g/out': 'c:x' }, leaves: ['g/out'] },
  'staying inside': {
    person: { 'h/b/deep': '../../src' },
    agent: { 'h/b/text': 'deep/a.txt', 'h/top': '..', 'h/far': 'top/src/../readme.md' },
    leaves: [],
  },
  'in a circle': { agent: { 'i/one': 'two', 'i/two': 'one' }, leaves: [] },
  'outside already': {
    person: { 'k/out': '/etc/passwd' },
    agent: { 'k/in': '../readme.md' },
    leaves: [],
  },
};

describe('a symbolic link', () => {
  it('A30: links that leave the repository through other links are refused, others are not', async () => {
    using fixture = gitFixture();
    const all = Object.values(CHAINS);
    const begun = await beginWith(fixture, Object.assign({}, ...all.map(({ person }) => person)));
    link(begun, Object.assign({}, ...all.map(({ agent }) => agent)));
    const found = await refused(begun);
    for (const [what, { person, agent, leaves }] of Object.entries(CHAINS)) {
      const own = found.filter((path) => path in { ...person, ...agent });
      assert.deepEqual(own, leaves, `a link ${what}`);
    }
    assert.equal(found.length, all.flatMap(({ leaves }) => leaves).length);
  });

  it('A30: a folder in place of a link that leads an older link out is refused', async () => {
    using fixture = gitFixture();
    const begun = await beginWith(fixture, { way: 'a/b/c', out: 'way/../../../readme.md' });
    rmSync(join(begun.cell.paths.work, 'way'));
    begun.write({ 'way/file': 'x\n' });
    assert.deepEqual(await refused(begun), ['out']);
  });

  it('A30: a link that leaves is refused although a later commit removed it', async () => {
    using fixture = gitFixture();
    const begun = await beginWith(fixture, {});
    link(begun, { 'a/b/top': '../..', 'a/b/out': 'top/../x' });
    begun.git('add', '.');
    begun.git('commit', '--quiet', '-m', 'Add');
    begun.git('rm', '--quiet', 'a/b/out');
    assert.deepEqual(await refused(begun), ['a/b/out']);
  });

  it('A60: links are findings under the same names as files and folders', async () => {
    using fixture = gitFixture();
    const begun = await beginWith(fixture, {});
    const names = ['.cargo', '.claude', '.envrc', '.github', '.husky', '.idea', '.vscode'];
    link(begun, Object.fromEntries(names.map((name) => [name, 'src'])));
    const { findings } = asWork(await begun.harvest());
    assert.deepEqual(
      findings.map(({ path, blocks }) => [path, blocks]),
      names.map((name) => [name, true]),
    );
  });

  it('A60: a file that a link shows as agent settings is a finding', async () => {
    using fixture = gitFixture();
    const links = { '.claude': 'shared/tools', 'shared/tools/settings.json': '../settings.json' };
    const begun = await beginWith(fixture, links);
    begun.write({ 'shared/settings.json': '{}\n', 'shared/other.json': '{}\n' });
    const { findings } = asWork(await begun.harvest());
    assert.deepEqual(
      findings.map(({ kind, path, blocks }) => [kind, path, blocks]),
      [['agent_settings', 'shared/settings.json', true]],
    );
  });
});

async function beginWith(fixture: GitFixture, links: Links): Promise<OpenCheckout> {
  const person = join(fixture.folder, 'person');
  make(person, links);
  fixture.commitUpstream({ 'src/more.txt': 'more\n' });
  return await fixture.begin(await fixture.mirror());
}

function link({ cell }: OpenCheckout, links: Links): void {
  make(cell.paths.work, links);
}

function make(folder: string, links: Links): void {
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  }
}

async function refused(begun: OpenCheckout): Promise<string[]> {
  const { findings } = asWork(await begun.harvest());
  return findings.map(({ kind, path, blocks, because }) => {
    assert.deepEqual([kind, blocks], ['hostile_entry', true]);
    assert.equal(because, 'it is a symbolic link that leaves the repository');
    return path;
  });
}
