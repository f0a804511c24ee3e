import type { ChangedFile } from '../../ports/workspace.ts';
import type { Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

/** An entry that one of the commits wrote, and the object it points to. */
export interface Entry {
  readonly commit: string;
  readonly path: string;
  /** What the parents had there; zeros for a new entry. */
  readonly before: readonly string[];
  /** Six digits; zeros for a removed entry. */
  readonly mode: string;
  readonly object: string;
  readonly isAdded: boolean;
}

/** The files that changed between two commits, counted from objects. */
export async function changedFiles(
  { git, dir }: Needs,
  from: string,
  to: string,
): Promise<ChangedFile[]> {
  const doing = 'counting changes';
  const args = [...TREES, '--raw', '--numstat', from, to];
  const parts = (await git.run({ dir, doing, args })).toString('utf8').split('\0');
  const changes = new Map<string, ChangedFile['change']>();
  const files: ChangedFile[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    if (part.startsWith(':')) {
      at += 1;
      changes.set(parts[at] ?? '', changeOf(part.at(-1)));
      continue;
    }
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? [];
    if (path === undefined) continue;
    const change = changes.get(path) ?? 'changed';
    files.push({ path, change, added: countOf(added), removed: countOf(removed) });
  }
  return files;
}

const TREES = [
  'diff-tree',
  '-r',
  '-z',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=none',
] as const;

function changeOf(letter: string | undefined): ChangedFile['change'] {
  if (letter === 'A') return 'added';
  return letter === 'D' ? 'deleted' : 'changed';
}

/** A binary file has no lines. */
function countOf(text: string | undefined): number {
  return text === '-' ? 0 : Number(text);
}

/** Everything each commit wrote: a file that one commit adds and the next removes is pushed too. */
export async function writtenEntries(
  { git, dir }: Needs,
  commits: readonly string[],
): Promise<Entry[]> {
  const out = await git.run({
    dir,
    doing: 'listing changed entries',
    args: [...TREES, '--raw', '--no-abbrev', '--root', '-c', '--stdin'],
    stdin: `${commits.join('\n')}\n`,
  });
  const parts = out.toString('utf8').split('\0');
  const entries: Entry[] = [];
  let commit = '';
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    if (!part.startsWith(':')) {
      commit = part;
      continue;
    }
    at += 1;
    entries.push({ commit, path: parts[at] ?? '', ...changeIn(part) });
  }
  return entries;
}

/** One colon per parent, then one mode and one object for each parent and for the result. */
function changeIn(part: string): Omit<Entry, 'commit' | 'path'> {
  const parents = /^:+/.exec(part)?.[0].length ?? 1;
  const fields = part.slice(parents).split(' ');
  return {
    before: fields.slice(0, parents),
    mode: fields[parents] ?? '',
    object: fields[2 * parents + 1] ?? '',
    isAdded: part.at(-1) === 'A',
  };
}

export async function sizesOf(
  { git, dir }: Needs,
  objects: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (objects.length === 0) return new Map();
  const output = await git.text({
    dir,
    doing: 'measuring changed files',
    args: ['cat-file', '--batch-check=%(objectname) %(objectsize)'],
    stdin: `${objects.join('\n')}\n`,
  });
  return new Map(
    output.split('\n').map((line) => {
      const [name = '', size] = line.split(' ');
      return [name, Number(size)];
    }),
  );
}
