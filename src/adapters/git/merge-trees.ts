import { checkedCommit } from './ref-names.ts';
import { failureOf, type Git } from './run-git.ts';

interface InRepository {
  readonly git: Git;
  readonly dir: string;
}

/** The tree of a merge of two commits, or the files that conflict. Writes objects only. */
export async function mergeTrees(
  { git, dir }: InRepository,
  one: string,
  other: string,
): Promise<{ readonly tree: string } | { readonly files: readonly string[] }> {
  const call = {
    dir,
    doing: `merging ${other} into ${one}`,
    args: [
      'merge-tree',
      '--write-tree',
      '-z',
      '--name-only',
      '--no-messages',
      checkedCommit(one),
      checkedCommit(other),
    ],
  };
  const result = await git.exec(call);
  const [tree = '', ...files] = result.stdout.toString('utf8').split('\0');
  if (result.code === 0) return { tree: tree.trim() };
  if (result.code !== 1) throw failureOf(call, result);
  return { files: [...new Set(files.filter((file) => file !== ''))] };
}

export async function mergeBase(
  { git, dir }: InRepository,
  one: string,
  other: string,
): Promise<string | null> {
  const args = ['merge-base', checkedCommit(one), checkedCommit(other)];
  const call = { dir, doing: `finding where ${one} and ${other} part`, args };
  const result = await git.exec(call);
  if (result.code !== 0 && result.code !== 1) throw failureOf(call, result);
  return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
}

export async function isAncestor(
  { git, dir }: InRepository,
  commit: string,
  other: string,
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', checkedCommit(commit), checkedCommit(other)];
  const call = { dir, doing: `checking whether ${commit} is in ${other}`, args };
  const result = await git.exec(call);
  if (result.code !== 0 && result.code !== 1) throw failureOf(call, result);
  return result.code === 0;
}
