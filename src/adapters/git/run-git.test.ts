import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import {
  asWork,
  gitAs,
  gitFixture,
  PATH,
  planFor,
  THREAD,
} from '../../../test/support/git-fixture.ts';
import { serveGit } from '../../../test/support/git-http.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { remoteOf } from './remote.ts';
import { createGit } from './run-git.ts';
import { createGitWorkspaces } from './workspaces.ts';

describe('the git of the host', () => {
  it('an error of git names the step, the exit code and the output of git', async () => {
    using temp = tempFolder();
    const git = createGit({ path: PATH, home: temp.file('home') });
    await assert.rejects(
      git.run({ dir: temp.file('none'), doing: 'reading nothing', args: ['rev-parse', 'HEAD'] }),
      {
        name: 'RepositoryFailed',
        message: new RegExp(
          `^reading nothing: git rev-parse failed with exit code 128: fatal: not a git repository: '${temp.file('none')}'$`,
        ),
      },
    );
  });

  it('a git process that prints too much or runs too long is stopped', async () => {
    using temp = tempFolder();
    const dir = temp.file('r');
    const git = createGit({ path: PATH, home: temp.file('home') });
    gitAs(temp.path, 'init', '--quiet', '--bare', dir);
    const endless = { dir, doing: 'waiting', config: ['alias.wait=!sleep 60; true'] };
    await assert.rejects(git.run({ ...endless, args: ['wait'], seconds: 0.2 }), {
      message: 'waiting: git wait was stopped: took longer than 0.2 seconds',
    });
    const yes = { dir, doing: 'reading', config: ['alias.yes=!yes'], mostBytes: 10_000 };
    await assert.rejects(git.run({ ...yes, args: ['yes'] }), {
      message: 'reading: git yes was stopped: printed more than 10000 bytes',
    });
  });

  it('git on the host reads no user or system settings', async () => {
    using temp = tempFolder();
    const dir = temp.file('r');
    gitAs(temp.path, 'init', '--quiet', '--bare', dir);
    const git = createGit({ path: PATH, home: temp.file('home') });
    const args = ['config', '--list', '--show-scope'];
    const scopes = (await git.text({ dir, doing: 'listing', args })).split('\n');
    assert.deepEqual([...new Set(scopes.map((line) => line.split('\t')[0]))].sort(), [
      'command',
      'local',
    ]);
  });
});

describe('a repository address', () => {
  it('A25: a repository address is a path, a file: or an https: URL, and nothing else that git accepts', () => {
    const refused = [
      'ext::sh -c touch% /tmp/pwn',
      '--upload-pack=touch pwn',
      'ssh://git@forge.test/a.git',
      'git@forge.test:a.git',
      'git://forge.test/a.git',
      'http://forge.test/a.git',
      'relative/path',
      'fd::17',
      'https://forge.test/a\nb',
      '',
    ];
    for (const url of refused) {
      assert.throws(() => remoteOf({ url, credential: null }), { name: 'RepositoryFailed' }, url);
    }
    assert.equal(remoteOf({ url: 'file:///a/b.git', credential: null }).url, '/a/b.git');
    assert.equal(remoteOf({ url: 'https://forge.test/a.git', credential: 't' }).protocol, 'https');
  });

  it('a repository address with a credential is refused without showing the credential', () => {
    const url = 'https://ada:hunter2hunter2@forge.test/a.git';
    assert.throws(
      () => remoteOf({ url, credential: null }),
      (error: Error) => {
        return error.name === 'RepositoryFailed' && !error.message.includes('hunter2');
      },
    );
  });
});

describe('a credential', () => {
  it('a credential is accepted by the repository and appears in no argument, environment, file or message', async () => {
    using fixture = gitFixture();
    const secret = 'x-token-0123456789abcdef';
    const leaks: string[] = [];
    await using server = await serveGit({
      folder: dirname(fixture.upstream),
      credential: `x-access-token:${secret}`,
      onRequest: () =>
        leaks.push(
          ...processesWith([secret, Buffer.from(`x-access-token:${secret}`).toString('base64')]),
        ),
    });
    gitAs(fixture.upstream, 'config', 'http.receivepack', 'true');
    const workspaces = createGitWorkspaces(fixture.settings);
    const url = `${server.url}/upstream.git`;

    const mirror = await workspaces.mirror({ url, credential: secret });
    const { cell, base } = await fixture.begin(mirror);
    gitAs(cell.paths.work, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    gitAs(cell.paths.work, 'rm', '--quiet', 'readme.md');
    const work = asWork(await mirror.harvest(cell, planFor(base)));
    const pushed = await mirror.push(work, { branch: THREAD, expected: null });

    assert.equal(pushed.is, 'pushed');
    assert.deepEqual(leaks, []);
    assert.deepEqual(readdirSync(join(fixture.root, 'home')), []);
    await assert.rejects(
      workspaces.mirror({ url, credential: 'wrong-one-wrong' }),
      (error: Error) => {
        assert.match(
          error.message,
          /^asking http.* for its default branch: git ls-remote failed with exit code 128/,
        );
        return !error.message.includes('wrong-one');
      },
    );
  });
});

/** Looks at every process of the machine but this one, as far as this account may. */
function processesWith(texts: readonly string[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => ['cmdline', 'environ'].map((file) => `/proc/${pid}/${file}`))
    .filter((file) => {
      try {
        const text = readFileSync(file, 'latin1');
        return texts.some((each) => text.includes(each));
      } catch {
        return false;
      }
    });
}
