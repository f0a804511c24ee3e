import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { createGitWorkspaces, type GitMirror } from '../../../src/adapters/git/workspaces.ts';
import type { Harvest } from '../../../src/ports/workspace.ts';
import {
  type GitFixture,
  gitAs,
  gitFixture,
  type OpenCheckout,
  PATH,
  planFor,
  THREAD,
  write,
} from '../../support/git-fixture.ts';
import { casesInTier, testIn } from '../../support/tier.ts';
import { objectsOf } from './zoo.ts';

const it = testIn('test');

/** Each of these costs several starts of git: `npm test` runs some, the full tier the others. */
const everyThird = (_: unknown, at: number): boolean => at % 3 === 0;

const BOUNDS = { files: 1000, lines: 1_000_000, bytes: 10_000_000 };

describe('output of a cell that is not a valid bundle', () => {
  const head = 'a'.repeat(40);
  const rubbish: Readonly<Record<string, string>> = {
    'no output': '',
    noise: 'PACK is what I am\n\n',
    'a filtered bundle': `# v3 git bundle\n@filter=blob:none\n${head} HEAD\n\nPACK`,
    'a bundle of another format': `# v3 git bundle\n@object-format=sha256\n${head} HEAD\n\nPACK`,
    'a bundle of two branches': `# v2 git bundle\n${head} HEAD\n${head} refs/heads/main\n\nPACK`,
    'a bundle with a ref outside the repository': `# v2 git bundle\n${head} ../../refs/heads/main\n\nPACK`,
    'a bundle without objects': `# v2 git bundle\n${head} HEAD\n\n`,
    'a bundle with broken objects': `# v2 git bundle\n${head} HEAD\n\nPACK\0\0\0\x02\0\0\0\x01rubbish`,
    'an endless bundle header': `# v2 git bundle\n${`-${head} x\n`.repeat(40_000)}`,
  };
  for (const [what, output] of Object.entries(rubbish)) {
    it(`A30: a cell that returns ${what} has unusable work`, async () => {
      using fixture = gitFixture();
      const harvest = await harvestFrom(
        fixture,
        await fixture.mirror(),
        Buffer.from(output, 'latin1'),
      );
      assert.equal(harvest.is, 'unusable', JSON.stringify(harvest));
    });
  }

  it('A31: a pack of a few bytes that claims gigabytes is unusable work', async () => {
    using fixture = gitFixture();
    const pack = hungryPack(4 * 1024 ** 3);
    const header = Buffer.from(`# v2 git bundle\n${head} HEAD\n\n`);
    const harvest = await harvestFrom(
      fixture,
      await fixture.mirror(),
      Buffer.concat([header, pack]),
    );
    assert.equal(harvest.is, 'unusable');
    assert.match(JSON.stringify(harvest), /attempting to allocate/);
  });

  it('A31: a cell whose output does not end is stopped', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const cell = await fixture.openCell(fakeGit(fixture, 'yes'));
    const base = (await mirror.tip('main')) ?? '';
    const harvest = await mirror.harvest(cell, {
      ...planFor(base),
      bounds: { ...BOUNDS, bytes: 1 },
    });
    assert.deepEqual(harvest, {
      is: 'unusable',
      because: 'the work is larger than 4 MiB',
    });
  });
});

describe('objects of another repository', () => {
  it('A24: objects of another repository that a commit names are not added by the host', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const other = await privateMirror(fixture);
    const { cell, base, git } = await fixture.begin(mirror);
    write(cell.paths.work, {
      '.git/objects/info/alternates': `${mirror.objects}\n${other.objects}\n`,
    });
    const commit = git('commit-tree', '-p', base, '-m', 'Take it', other.tree);
    const pack = execFileSync('git', ['pack-objects', '--stdout', '--quiet'], {
      cwd: cell.paths.work,
      input: `${commit}\n`,
    });
    const header = Buffer.from(`# v2 git bundle\n-${base} \n${commit} HEAD\n\n`);

    const harvest = await harvestFrom(fixture, mirror, Buffer.concat([header, pack]));

    assert.equal(harvest.is, 'unusable');
    const quarantine = join(fixture.root, 'runs/r-1/quarantine.git');
    assert.ok(existsSync(quarantine));
    assert.ok(!objectsOf(quarantine).includes(other.blob));
    assert.ok(!objectsOf(join(mirror.objects, '..')).includes(other.blob));
  });
});

describe('a tree', () => {
  const blob = 'BLOB';
  const entries: Readonly<Record<string, string>> = {
    '.git': `100644 blob ${blob}\t.git`,
    '.GIT': `100644 blob ${blob}\t.GIT`,
    'git~1': `100644 blob ${blob}\tgit~1`,
    '.git with a space': `100644 blob ${blob}\t.git `,
    '.git with an invisible sign': `100644 blob ${blob}\t.g\u200cit`,
    '.git and a stream': `100644 blob ${blob}\t.git::$INDEX_ALLOCATION`,
    '..': `100644 blob ${blob}\t..`,
    'a backslash': `100644 blob ${blob}\t..\\x`,
    'a line end': `100644 blob ${blob}\ta\rb`,
    'a right-to-left sign': `100644 blob ${blob}\ta\u202eb`,
    'a submodule': `160000 commit ${'b'.repeat(40)}\tsub`,
    'an absolute link': '120000 blob ABSOLUTE\tlink',
    'a link that leaves': '120000 blob LEAVING\tlink',
    'a link into .git': '120000 blob INTO\tlink',
    'an invalid file mode': `100664 blob ${blob}\tfile`,
    'a link for .gitmodules': '120000 blob INTO\t.gitmodules',
    'a submodule that runs a command': '100644 blob MODULES\t.gitmodules',
  };
  for (const [what, entry] of casesInTier(Object.entries(entries), everyThird)) {
    test(`A30: a tree with ${what} may not be pushed`, async () => {
      using fixture = gitFixture();
      const begun = await fixture.begin(await fixture.mirror(), THREAD, addsNothing(fixture));
      commitTree(begun, [entry]);
      const harvest = await begun.harvest();
      assert.ok(doesNotLeave(harvest), JSON.stringify(harvest));
    });
  }

  it('A31: a tree that is deeper than the limit for a path may not be pushed', async () => {
    using fixture = gitFixture();
    const begun = await fixture.begin(await fixture.mirror(), THREAD, addsNothing(fixture));
    let tree = treeOf(begun, [`100644 blob ${begun.git('hash-object', '-w', 'readme.md')}\tfile`]);
    for (let n = 0; n < 80; n += 1) tree = treeOf(begun, [`040000 tree ${tree}\td`]);
    putOnBranch(begun, tree);
    assert.ok(doesNotLeave(await begun.harvest()));
  });

  it('A31: a tree that expands to ten billion files is unusable work', async () => {
    using fixture = gitFixture();
    const begun = await fixture.begin(await fixture.mirror(), THREAD, addsNothing(fixture));
    let tree = treeOf(begun, [`100644 blob ${begun.git('hash-object', '-w', 'readme.md')}\tfile`]);
    for (let n = 0; n < 10; n += 1) {
      const names = Array.from(
        { length: 10 },
        (_, k) => `040000 tree ${tree}\t${'d'.repeat(60)}${k}`,
      );
      tree = treeOf(begun, names);
    }
    putOnBranch(begun, tree);

    const harvest = await begun.harvest();

    assert.equal(harvest.is, 'unusable');
    assert.match(JSON.stringify(harvest), /its trees expand to 10000000000 files/);
  });

  it('A31: a file that decompresses to more than allowed may not be pushed', async () => {
    using fixture = gitFixture();
    const begun = await fixture.begin(await fixture.mirror());
    writeFileSync(join(begun.cell.paths.work, 'bomb'), Buffer.alloc(120_000_000));

    const harvest = await begun.harvest({ bounds: BOUNDS });

    assert.ok(harvest.is === 'work');
    assert.deepEqual(
      harvest.findings.map(({ kind, because }) => `${kind}: ${because}`),
      [
        'too_large: 120000000 bytes are changed; at most 10000000 are allowed',
        'too_large: 120000000 bytes are too many to scan for secrets',
      ],
    );
  });
});

describe('a git directory that lies about its history', () => {
  const lies: Readonly<Record<string, (begun: OpenCheckout) => void>> = {
    'replaced objects': ({ git, base }) => {
      const other = git('commit-tree', '-m', 'Other', `${base}^{tree}`);
      git('replace', base, other);
    },
    grafts: ({ cell, git }) => {
      write(cell.paths.work, { '.git/info/grafts': `${git('rev-parse', 'HEAD')}\n` });
    },
    'a shallow history': ({ cell, git }) => {
      write(cell.paths.work, { '.git/shallow': `${git('rev-parse', 'HEAD')}\n` });
    },
    'a common directory elsewhere': ({ cell }) =>
      write(cell.paths.work, { '.git/commondir': '../..\n' }),
    'a work tree elsewhere': ({ cell }) => write(cell.paths.work, { '.git/gitdir': '/etc/.git\n' }),
    'invalid branch names': ({ cell, base }) =>
      write(cell.paths.work, {
        '.git/packed-refs': `${base} refs/heads/../../../x\n${base} refs/heads/--all\n`,
      }),
    'missing alternates': ({ cell }) =>
      write(cell.paths.work, { '.git/objects/info/alternates': '/nowhere\n' }),
    'missing alternates and an up-to-date index': ({ cell, git }) => {
      execFileSync('touch', ['-d', '2001-01-01', 'a.txt', 'readme.md'], { cwd: cell.paths.work });
      git('update-index', '--refresh');
      write(cell.paths.work, { '.git/objects/info/alternates': '/nowhere\n' });
    },
    'a corrupt index': ({ cell }) => write(cell.paths.work, { '.git/index': 'DIRCrubbish' }),
    'a link and a submodule in the index': ({ git }) => {
      const blob = git('hash-object', '-w', 'readme.md');
      git('update-index', '--add', '--cacheinfo', `120000,${blob},link`);
      git('update-index', '--add', '--cacheinfo', `160000,${'c'.repeat(40)},sub`);
    },
    'a HEAD that is a link': ({ cell }) => {
      execFileSync('ln', ['-sf', '/etc/passwd', join(cell.paths.work, '.git/HEAD')]);
    },
  };
  for (const [what, lie] of casesInTier(Object.entries(lies), everyThird)) {
    test(`A24, A26: a harvest of a git directory with ${what} is correct or unusable`, async () => {
      using fixture = gitFixture();
      const mirror = await fixture.mirror();
      const begun = await fixture.begin(mirror);
      begun.write({ 'a.txt': '1\n' });
      begun.git('add', '.');
      begun.git('commit', '--quiet', '-m', 'Add');
      lie(begun);

      const harvest = await begun.harvest();

      if (harvest.is !== 'work')
        return assert.equal(harvest.is, 'unusable', JSON.stringify(harvest));
      await mirror.push(harvest, { branch: 'hall/ada/issue-9', expected: null });
      const above = gitAs(fixture.upstream, 'rev-list', `${begun.base}..hall/ada/issue-9`);
      assert.equal(above.split('\n').length, harvest.commits);
      assert.equal(gitAs(fixture.upstream, 'fsck', '--strict', '--connectivity-only'), '');
    });
  }
});

/** A block of zeros, and a second file that is the block over and over again. */
function hungryPack(bytes: number): Buffer {
  const block = Buffer.alloc(0x10000);
  const name = createHash('sha1').update(`blob ${block.length}\0`).update(block).digest();
  const delta = Buffer.concat([
    sizeOf(block.length),
    sizeOf(bytes),
    Buffer.alloc(bytes / block.length, 0x80),
  ]);
  const body = Buffer.concat([
    Buffer.from('PACK\0\0\0\x02\0\0\0\x02', 'latin1'),
    entryOf(3, block.length),
    deflateSync(block),
    entryOf(7, delta.length),
    name,
    deflateSync(delta),
  ]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function sizeOf(size: number): Buffer {
  const bytes: number[] = [];
  for (let rest = size; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

function entryOf(kind: number, size: number): Buffer {
  const first = (kind << 4) | (size % 16);
  return size < 16
    ? Buffer.from([first])
    : Buffer.concat([Buffer.from([first | 0x80]), sizeOf(Math.floor(size / 16))]);
}

function doesNotLeave(harvest: Harvest): boolean {
  if (harvest.is === 'unusable') return true;
  return (
    harvest.is === 'work' &&
    harvest.findings.some(({ kind, blocks }) => kind === 'hostile_entry' && blocks)
  );
}

/** Harvests from a cell whose git says whatever the agent wants. */
async function harvestFrom(
  fixture: GitFixture,
  mirror: GitMirror,
  output: Buffer,
): Promise<Harvest> {
  const file = join(fixture.folder, 'output');
  writeFileSync(file, output);
  const cell = await fixture.openCell(fakeGit(fixture, `cat '${file}'`));
  const base = (await mirror.tip('main')) ?? '';
  return await mirror.harvest(cell, { ...planFor(base), bounds: BOUNDS });
}

function fakeGit(fixture: GitFixture, print: string): string {
  const folder = join(fixture.folder, 'fake');
  mkdirSync(folder);
  const script = `#!/bin/sh\ncase "$*" in *bundle*) ${print} ;; *rev-list*) echo x ;; esac\nexit 0\n`;
  write(folder, { git: script });
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${PATH}`;
}

/** Another project's repository, mirrored by the same host. */
async function privateMirror(fixture: GitFixture) {
  const url = join(fixture.folder, 'private');
  mkdirSync(url);
  gitAs(url, 'init', '--quiet', '--initial-branch=main');
  write(url, { 'secret.txt': 'of another project\n' });
  gitAs(url, 'add', '.');
  gitAs(url, 'commit', '--quiet', '-m', 'Secret');
  const { objects } = await createGitWorkspaces(fixture.settings).mirror({ url, credential: null });
  return {
    objects,
    tree: gitAs(url, 'rev-parse', 'HEAD^{tree}'),
    blob: gitAs(url, 'rev-parse', 'HEAD:secret.txt'),
  };
}

function commitTree(begun: OpenCheckout, entries: readonly string[]): void {
  const { work } = begun.cell.paths;
  const blobs: Readonly<Record<string, string>> = {
    BLOB: 'x\n',
    ABSOLUTE: '/etc/passwd',
    LEAVING: 'src/../../x',
    INTO: '.git/config',
    MODULES: '[submodule "x"]\n\tpath = x\n\turl = https://forge.test/x\n\tupdate = !touch pwn\n',
  };
  const lines = entries.map((entry) =>
    entry.replace(/[A-Z]{4,}(?=\t)/, (name) => {
      write(work, { blob: blobs[name] ?? '' });
      return begun.git('hash-object', '-w', '--no-filters', 'blob');
    }),
  );
  putOnBranch(begun, treeOf(begun, lines));
}

/** Written byte by byte, because git itself refuses to make most of these. */
function treeOf({ cell }: OpenCheckout, entries: readonly string[]): string {
  const raw = entries.map((entry) => {
    const [, mode = '', name = '', path = ''] =
      /^0*(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return Buffer.concat([Buffer.from(`${mode} ${path}\0`), Buffer.from(name, 'hex')]);
  });
  const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
  return execFileSync('git', args, {
    cwd: cell.paths.work,
    input: Buffer.concat(raw),
    encoding: 'utf8',
  }).trim();
}

function putOnBranch({ git, base }: OpenCheckout, tree: string): void {
  git('update-ref', 'HEAD', git('commit-tree', '-p', base, '-m', 'Hostile', tree));
}

/** A git that takes in no leftovers: they would undo a tree that cannot be checked out. */
function addsNothing(fixture: GitFixture): string {
  const folder = join(fixture.folder, 'adds-nothing');
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  mkdirSync(folder);
  const script = `#!/bin/sh\ncase "$*" in *' add '*|*' diff '*) exit 0 ;; esac\nexec '${real}' "$@"\n`;
  write(folder, { git: script });
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${PATH}`;
}
