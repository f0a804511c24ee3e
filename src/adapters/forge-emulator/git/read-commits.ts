import { NO_COMMIT, type PushedCommit } from '../state/event.ts';
import type { PullSize } from '../state/model.ts';
import type { Git } from './run-git.ts';

const FORMAT = ['%H', '%T', '%P', '%an', '%ae', '%cn', '%ce', '%ct', '%B'].join('%x00');

/** The heads of all branches. */
export async function readBranches(git: Git, dir: string): Promise<Map<string, string>> {
  const listed = await git.run(dir, [
    'for-each-ref',
    '--format=%(refname:strip=2) %(objectname)',
    'refs/heads',
  ]);
  const lines = listed === '' ? [] : listed.split('\n');
  return new Map(lines.map((line) => line.split(' ', 2) as [string, string]));
}

/** The commit that a branch, a tag, a full ref or a commit id names. */
export async function resolveCommit(git: Git, dir: string, ref: string): Promise<string | null> {
  for (const name of [`refs/heads/${ref}`, ref]) {
    const { code, stdout } = await git.exec(dir, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${name}^{commit}`,
    ]);
    if (code === 0) return stdout.trim();
  }
  return null;
}

/** Oldest first; of a branch that is new, what no other branch has. */
export async function readCommits(git: Git, dir: string, range: string[]): Promise<PushedCommit[]> {
  const log = ['log', '--reverse', '-z', '--name-status', '--no-renames', '-m', '--first-parent'];
  const listed = await git.run(dir, [...log, `--format=%x01${FORMAT}%x02`, ...range, '--']);
  return listed.split('\x01').slice(1).map(parseCommit);
}

export async function readCommit(git: Git, dir: string, sha: string): Promise<PushedCommit> {
  const [commit] = await readCommits(git, dir, ['-1', sha]);
  if (!commit) throw new Error(`there is no commit ${sha} in ${dir}`);
  return commit;
}

function parseCommit(text: string): PushedCommit {
  const [facts = '', names = ''] = text.split('\x02');
  const [
    sha = '',
    tree = '',
    parents = '',
    an = '',
    ae = '',
    cn = '',
    ce = '',
    at = '',
    body = '',
  ] = facts.split('\0');
  const files = names.split('\0').filter((part) => part.trim() !== '');
  const changed = (kind: string) =>
    files.flatMap((part, n) => (n % 2 === 0 && part.trim() === kind ? [files[n + 1] ?? ''] : []));
  return {
    sha: sha.trim(),
    tree,
    parents: parents === '' ? [] : parents.split(' '),
    message: body.trimEnd(),
    authorName: an,
    authorEmail: ae,
    committerName: cn,
    committerEmail: ce,
    at: Number(at) * 1_000,
    added: changed('A'),
    removed: changed('D'),
    modified: changed('M'),
  };
}

export async function isAncestor(
  git: Git,
  dir: string,
  old: string,
  tip: string,
): Promise<boolean> {
  if (old === NO_COMMIT || tip === NO_COMMIT) return old === NO_COMMIT;
  return (await git.exec(dir, ['merge-base', '--is-ancestor', old, tip])).code === 0;
}

export async function mergeBaseOf(git: Git, dir: string, a: string, b: string): Promise<string> {
  const { code, stdout } = await git.exec(dir, ['merge-base', a, b]);
  return code === 0 ? stdout.trim() : a;
}

export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'modified';
  readonly additions: number;
  readonly deletions: number;
  readonly blob: string;
  readonly patch: string;
}

/** What a pull request changes, compared with where it began. */
export async function readChanges(
  git: Git,
  dir: string,
  [from, to]: readonly [string, string],
): Promise<ChangedFile[]> {
  const diff = ['diff', '--no-renames', from, to];
  const raw = await git.run(dir, [...diff, '--raw', '--no-abbrev', '-z']);
  const counts = await git.run(dir, [...diff, '--numstat', '-z']);
  const patches = await git.run(dir, [...diff, '--patch', '--src-prefix=a/', '--dst-prefix=b/']);
  const sizes = counts.split('\0').map((line) => line.split('\t'));
  const hunks = patches.split(/^diff --git .*$/m).slice(1);
  const parts = raw.split('\0');
  const files: ChangedFile[] = [];
  for (let n = 0; n + 1 < parts.length; n += 2) {
    const [, , before = '', after = '', kind = 'M'] = (parts[n] ?? '').split(' ');
    const path = parts[n + 1] ?? '';
    const [additions = '0', deletions = '0'] = sizes.find(([, , name]) => name === path) ?? [];
    files.push({
      path,
      status: STATUS[kind] ?? 'modified',
      additions: Number(additions) || 0,
      deletions: Number(deletions) || 0,
      blob: kind === 'D' ? before : after,
      patch: /^@@[\s\S]*/m.exec(hunks[n / 2] ?? '')?.[0]?.trimEnd() ?? '',
    });
  }
  return files;
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'removed' };

export async function readSize(
  git: Git,
  dir: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<PullSize> {
  const counts = await git.run(dir, ['diff', '--numstat', base, head]);
  const lines = counts === '' ? [] : counts.split('\n').map((line) => line.split('\t'));
  const sum = (column: number) =>
    lines.reduce((total, line) => total + (Number(line[column]) || 0), 0);
  return {
    commits: Number(await git.run(dir, ['rev-list', '--count', `${base}..${head}`])),
    files: lines.length,
    additions: sum(0),
    deletions: sum(1),
  };
}

/** A file at a commit, or null. */
export async function readFileAt(
  git: Git,
  dir: string,
  { sha, path }: { readonly sha: string; readonly path: string },
): Promise<string | null> {
  const { code, stdout } = await git.exec(dir, ['cat-file', 'blob', `${sha}:${path}`]);
  return code === 0 ? stdout : null;
}
