import type { Account } from '../state/model.ts';
import type { Git } from './run-git.ts';

export interface NewCommit {
  readonly branch: string;
  /** The commit to build on; null starts a history. */
  readonly from: string | null;
  readonly by: Account;
  readonly at: number;
  readonly message: string;
  /** The text of each file; null removes it. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** Writes a commit and moves the branch to it, also when that is no fast-forward. */
export async function writeCommit(git: Git, dir: string, commit: NewCommit): Promise<string> {
  const { branch, from, by, at, message, files } = commit;
  const changes = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
  );
  const lines = [
    `commit refs/heads/${branch}\n`,
    `committer ${by.login} <${by.email}> ${Math.floor(at / 1_000)} +0000\n`,
    data(message),
    from === null ? '' : `from ${from}\n`,
    ...changes,
    'done\n',
  ];
  await git.run(dir, ['fast-import', '--quiet', '--force', '--done'], { stdin: lines.join('') });
  return git.run(dir, ['rev-parse', `refs/heads/${branch}`]);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

interface MergePlan {
  readonly base: string;
  readonly head: string;
  readonly how: string;
  readonly message: string;
  readonly by: Account;
  readonly at: number;
}

/** The commit that a merge would make, or null if files conflict. No branch is moved. */
export async function mergeCommits(git: Git, dir: string, plan: MergePlan): Promise<string | null> {
  const { base, head, how } = plan;
  if (how === 'rebase') return rebaseOnto(git, dir, plan);
  const merged = await git.exec(dir, ['merge-tree', '--write-tree', base, head]);
  if (merged.code !== 0) return null;
  const tree = merged.stdout.split('\n', 1)[0] ?? '';
  const parents = how === 'squash' ? [base] : [base, head];
  return commitTree(git, dir, { tree, parents, plan });
}

async function rebaseOnto(git: Git, dir: string, plan: MergePlan): Promise<string | null> {
  const range = `${plan.base}..${plan.head}`;
  const listed = await git.run(dir, ['rev-list', '--reverse', '--no-merges', range]);
  let tip = plan.base;
  for (const commit of listed.split('\n').filter((line) => line !== '')) {
    const tree = await pickedTree(git, dir, { tip, commit });
    if (tree === null) return null;
    const message = await git.run(dir, ['log', '-1', '--format=%B', commit]);
    tip = await commitTree(git, dir, { tree, parents: [tip], plan: { ...plan, message } });
  }
  return tip;
}

/**
 * Git 2.39 cannot tell merge-tree which base to use, so the tip gets the commit's parent as a parent: then the
 * best common ancestor of both is that parent.
 */
async function pickedTree(
  git: Git,
  dir: string,
  { tip, commit }: { readonly tip: string; readonly commit: string },
): Promise<string | null> {
  const args = ['commit-tree', `${tip}^{tree}`, '-p', `${commit}^`, '-m', 'base of a pick'];
  const grafted = await git.run(dir, args);
  const merged = await git.exec(dir, ['merge-tree', '--write-tree', grafted, commit]);
  return merged.code === 0 ? (merged.stdout.split('\n', 1)[0] ?? null) : null;
}

function commitTree(
  git: Git,
  dir: string,
  {
    tree,
    parents,
    plan,
  }: { readonly tree: string; readonly parents: readonly string[]; readonly plan: MergePlan },
): Promise<string> {
  const { by, at, message } = plan;
  const date = `${Math.floor(at / 1_000)} +0000`;
  const env = {
    GIT_AUTHOR_NAME: by.login,
    GIT_AUTHOR_EMAIL: by.email,
    GIT_COMMITTER_NAME: by.login,
    GIT_COMMITTER_EMAIL: by.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return git.run(dir, args, { stdin: message, env });
}
