import { checkedCommit, refOf } from './ref-names.ts';
import type { Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

export async function tipOf({ git, dir }: Needs, branch: string): Promise<string | null> {
  const { code, stdout } = await git.exec({
    dir,
    doing: `reading where ${branch} is`,
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${refOf(branch)}^{commit}`],
  });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

/** Reads from the objects; a symbolic link is not a file. */
export async function readFileOf(
  { git, dir }: Needs,
  commit: string,
  { path, most }: { readonly path: string; readonly most: number },
): Promise<string | null> {
  if (path.startsWith('/') || path.split('/').includes('..')) return null;
  const doing = `reading ${path} of ${commit}`;
  const env = { GIT_LITERAL_PATHSPECS: '1' };
  const args = ['ls-tree', '-z', '-l', '--full-tree', checkedCommit(commit), '--', path];
  const listed = await git.text({ dir, doing, env, args });
  const [, blob, size, found] =
    /^100(?:644|755) blob ([0-9a-f]{40}) +(\d+)\t([^\0]*)\0/.exec(listed) ?? [];
  if (blob === undefined || found !== path || Number(size) > most) return null;
  return (await git.run({ dir, doing, args: ['cat-file', 'blob', blob] })).toString('utf8');
}
