import { readObjects } from './read-objects.ts';
import type { Git } from './run-git.ts';

/** A commit as the object store has it. */
export interface Commit {
  readonly name: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Seconds since 1970, as its author claims. */
  readonly time: number;
  readonly message: string;
  readonly author: Author;
}

export interface Author {
  readonly name: string;
  readonly email: string;
  /** In git's own form: seconds since 1970 and the zone. */
  readonly date: string;
}

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

/** The commits that `head` has and `known` lacks, parents first. */
export async function listCommits(
  { git, dir }: Needs,
  head: string,
  { known, most }: { readonly known: readonly string[]; readonly most: number },
): Promise<string[]> {
  const listed = await git.text({
    dir,
    doing: 'listing commits',
    args: ['rev-list', '--topo-order', `--max-count=${most + 1}`, '--stdin'],
    stdin: `${[head, ...known.map((each) => `^${each}`)].join('\n')}\n`,
  });
  return listed === '' ? [] : listed.split('\n').reverse();
}

export async function readCommits(needs: Needs, names: readonly string[]): Promise<Commit[]> {
  const commits: Commit[] = [];
  await readObjects(needs, { names, doing: 'reading commits' }, ({ name, kind, raw }) => {
    if (kind !== 'commit') throw new Error(`${name} is a ${kind}, not a commit`);
    commits.push(parseCommit(name, raw));
  });
  return commits;
}

function parseCommit(name: string, raw: Buffer): Commit {
  const end = raw.indexOf('\n\n');
  const head = raw.toString('utf8', 0, end === -1 ? raw.length : end);
  const message = end === -1 ? '' : raw.toString('utf8', end + 2);
  return {
    name,
    message,
    tree: /^tree ([0-9a-f]{40})$/m.exec(head)?.[1] ?? '',
    parents: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, parent = '']) => parent),
    author: authorIn(head),
    time: Number(/^committer .*> (\d{1,12}) [+-]\d{4}$/m.exec(head)?.[1] ?? 0),
  };
}

function authorIn(head: string): Author {
  const [, name = '', email = '', date = '0 +0000'] =
    /^author (.*?) ?<(.*)> (\d+ [+-]\d{4})$/m.exec(head) ?? [];
  return { name, email, date };
}
