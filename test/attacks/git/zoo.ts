import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GitFixture, gitAs, PATH, write } from '../../support/git-fixture.ts';

/** A program that tells when the host ran it; inside a cell it does its harm unnoticed. */
export interface Trap {
  readonly program: string;
  /** How the host ran it; empty when it never did. */
  sprung(): string[];
  /** The PATH of cells, by which the program knows where it is. */
  readonly cellPath: string;
}

export function setTrap(fixture: GitFixture): Trap {
  const program = join(fixture.folder, 'pwn');
  const marker = join(fixture.folder, 'marker');
  const inside = join(fixture.folder, 'inside-a-cell');
  mkdirSync(inside);
  write(fixture.folder, {
    pwn: `#!/bin/sh\ncase "$PATH" in *inside-a-cell*) ;; *) echo "$0 $*" >> '${marker}' ;; esac\ncat 2>/dev/null\nexit 0\n`,
  });
  chmodSync(program, 0o755);
  return {
    program,
    cellPath: `${inside}:${PATH}`,
    sprung: () => (existsSync(marker) ? readFileSync(marker, 'utf8').trim().split('\n') : []),
  };
}

/** Settings that make some command of git run a program. */
export function hostileSettings(pwn: string): Readonly<Record<string, string>> {
  return {
    'core.hooksPath': join(dirname(pwn), 'hooks'),
    'core.fsmonitor': pwn,
    'core.sshCommand': pwn,
    'core.gitProxy': pwn,
    'core.askPass': pwn,
    'core.pager': pwn,
    'core.editor': pwn,
    'core.alternateRefsCommand': pwn,
    'sequence.editor': pwn,
    'pager.log': pwn,
    'pager.diff': pwn,
    'pager.status': pwn,
    'diff.external': pwn,
    'diff.zoo.textconv': pwn,
    'diff.zoo.command': pwn,
    'filter.zoo.clean': pwn,
    'filter.zoo.smudge': pwn,
    'filter.lfs.clean': pwn,
    'filter.lfs.process': pwn,
    'merge.zoo.driver': pwn,
    'merge.default': 'zoo',
    'gpg.program': pwn,
    'gpg.ssh.program': pwn,
    'gpg.x509.program': pwn,
    'commit.gpgSign': 'true',
    'log.showSignature': 'true',
    'credential.helper': `!${pwn}`,
    'alias.st': `!${pwn}`,
    'alias.fetch': `!${pwn}`,
    'alias.push': `!${pwn}`,
    'uploadpack.packObjectsHook': pwn,
    'remote.origin.url': `ext::${pwn}`,
    'remote.origin.uploadpack': pwn,
    'remote.origin.receivepack': pwn,
    'remote.origin.vcs': 'ext',
    'protocol.ext.allow': 'always',
    [`url.ext::${pwn} .insteadOf`]: '/',
    'submodule.zoo.url': `ext::${pwn}`,
    'submodule.zoo.update': `!${pwn}`,
    'submodule.recurse': 'true',
    'trailer.zoo.command': pwn,
    'interactive.diffFilter': pwn,
    'web.browser': pwn,
    'tar.zoo.command': pwn,
    'hook.zoo.command': pwn,
    'include.path': '../evil-settings',
  };
}

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-push',
  'post-checkout',
  'post-merge',
  'pre-receive',
  'update',
  'post-receive',
  'post-update',
  'reference-transaction',
  'push-to-checkout',
  'post-index-change',
  'fsmonitor-watchman',
  'pre-auto-gc',
];

/** Hooks in every place where some git would look for them. */
export function writeHooks(folder: string, pwn: string): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of HOOKS) {
    write(folder, { [hook]: `#!/bin/sh\nexec ${pwn} ${hook}\n` });
    chmodSync(join(folder, hook), 0o755);
  }
}

/** Files that a repository ships or an agent writes to make git on the host run programs. */
export function hostileFiles(pwn: string): Readonly<Record<string, string>> {
  return {
    '.gitattributes': '* filter=zoo diff=zoo merge=zoo\n*.bin filter=lfs\n',
    '.gitmodules': `[submodule "zoo"]\n\tpath = zoo\n\turl = ext::${pwn}\n[submodule "b"]\n\tpath = b\n\turl = file:///etc\n`,
    '.lfsconfig': `[lfs]\n\turl = ext::${pwn}\n[lfs "customtransfer.zoo"]\n\tpath = ${pwn}\n`,
    'nested/HEAD': 'ref: refs/heads/main\n',
    'nested/config': `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${pwn}\n`,
    'nested/objects/keep': '',
    'nested/refs/keep': '',
    'nested/hooks/post-checkout': `#!/bin/sh\nexec ${pwn}\n`,
    '.husky/pre-commit': `${pwn}\n`,
    '.githooks/pre-push': `#!/bin/sh\n${pwn}\n`,
    '.config/git/config': `[core]\n\tpager = ${pwn}\n`,
    '.gitconfig': `[core]\n\tpager = ${pwn}\n`,
    'evil-settings': `[core]\n\tpager = ${pwn}\n`,
  };
}

/** Every object that a repository of the host has, its own and the ones it is lent. */
export function objectsOf(dir: string): string[] {
  const listed = gitAs(dir, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  return listed.split('\n');
}
