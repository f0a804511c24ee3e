import type { Branches, BranchUpdate, MergePlan, RebasePlan } from '../../ports/branches.ts';
import { RepositoryFailed } from '../../ports/workspace.ts';
import { cleanMessage } from './clean-message.ts';
import { type Commit, listCommits, readCommits } from './commits.ts';
import { lockMirror, type MirrorRepository } from './mirror.ts';
import { checkedCommit, refOf } from './names.ts';
import { pushCommit } from './push.ts';
import { commitTree } from './rewrite-commits.ts';
import { failureOf, type Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly path: string;
  readonly gnupgHome: string | null;
}

interface InRepository {
  readonly git: Git;
  readonly dir: string;
}

export function createBranches(needs: Needs, mirror: MirrorRepository): Branches {
  const repository = { git: needs.git, dir: mirror.dir };
  return {
    async conflicts(one, other) {
      const merged = await mergeTrees(repository, one, other);
      return 'files' in merged ? merged.files : [];
    },
    merge: (plan) => merge(needs, mirror, plan),
    rebase: (plan) => rebase(needs, mirror, plan),
    log: (from, to, most) => logOf(repository, { from, to, most }),
    diff: (from, to, most) => diffOf(repository, { from, to, most }),
  };
}

async function merge(
  needs: Needs,
  mirror: MirrorRepository,
  plan: MergePlan,
): Promise<BranchUpdate> {
  const repository = { git: needs.git, dir: mirror.dir };
  if (await isAncestor(repository, plan.commit, plan.expected)) {
    return { is: 'pushed', commit: plan.expected };
  }
  const merged = await mergeTrees(repository, plan.expected, plan.commit);
  if ('files' in merged) return { is: 'conflict', files: merged.files };
  const [into] = await readCommits(repository, [checkedCommit(plan.expected)]);
  if (into?.tree === merged.tree) return { is: 'pushed', commit: plan.expected };
  const parents = plan.how === 'merge' ? [plan.expected, plan.commit] : [plan.expected];
  const newCommit = await commitTree({ ...repository, gnupgHome: needs.gnupgHome }, plan, {
    tree: merged.tree,
    parents,
    time: Math.floor(Date.now() / 1000),
    message: cleanMessage(plan.message, []),
  });
  return await pushAndUpdateMirror(needs, mirror, {
    branch: plan.into,
    expected: plan.expected,
    commit: newCommit,
  });
}

async function rebase(
  needs: Needs,
  mirror: MirrorRepository,
  plan: RebasePlan,
): Promise<BranchUpdate> {
  const repository = { git: needs.git, dir: mirror.dir };
  if (await isAncestor(repository, plan.onto, plan.expected)) {
    return { is: 'pushed', commit: plan.expected };
  }
  const names = await listCommits(repository, checkedCommit(plan.expected), {
    known: [checkedCommit(plan.onto)],
    most: MAX_COMMITS,
  });
  if (names.length > MAX_COMMITS) {
    return { is: 'refused', because: `${plan.branch} has more than ${MAX_COMMITS} commits` };
  }
  let commit = plan.onto;
  for (const picked of await readCommits(repository, names)) {
    // The base already has what a merge brought in.
    if (picked.parents.length !== 1) continue;
    const next = await cherryPick({ ...repository, gnupgHome: needs.gnupgHome }, plan, {
      picked,
      onto: commit,
    });
    if ('files' in next) return { is: 'conflict', files: next.files };
    commit = next.commit;
  }
  return await pushAndUpdateMirror(needs, mirror, {
    branch: plan.branch,
    expected: plan.expected,
    commit,
  });
}

const MAX_COMMITS = 500;

type CherryPicked = { readonly commit: string } | { readonly files: readonly string[] };

/**
 * A commit with the tree of one side and the parent of the other makes that parent the merge base. Git
 * has an option for this only since 2.40.
 */
async function cherryPick(
  repository: InRepository & { readonly gnupgHome: string | null },
  { who, signingKey }: RebasePlan,
  { picked, onto }: { readonly picked: Commit; readonly onto: string },
): Promise<CherryPicked> {
  const [parent] = await readCommits(repository, [onto]);
  if (!parent) throw new RepositoryFailed(`${onto} is not in the mirror`);
  const time = parent.time + 1;
  const mergeBase = await commitTree(
    repository,
    { who, signingKey: null },
    { tree: parent.tree, parents: picked.parents, time, message: 'aside' },
  );
  const merged = await mergeTrees(repository, mergeBase, picked.name);
  if ('files' in merged) return merged;
  if (merged.tree === parent.tree) return { commit: onto };
  const { message, author } = picked;
  const details = {
    tree: merged.tree,
    parents: [onto],
    time: Math.max(time, picked.time),
    message,
  };
  return { commit: await commitTree(repository, { who, signingKey }, { ...details, author }) };
}

async function mergeTrees(
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

async function isAncestor(
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

async function pushAndUpdateMirror(
  { git, path }: Needs,
  { dir, remote }: MirrorRepository,
  to: { readonly branch: string; readonly expected: string; readonly commit: string },
): Promise<BranchUpdate> {
  using lock = await lockMirror({ path }, dir);
  const pushed = await pushCommit({ git, dir, lock }, remote, to);
  if (pushed.is !== 'pushed') return pushed;
  const args = ['update-ref', refOf(to.branch), to.commit];
  await git.run({ dir, lock, doing: `storing ${to.branch} in the mirror`, args });
  return { is: 'pushed', commit: to.commit };
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly most: number;
}

async function logOf({ git, dir }: InRepository, { from, to, most }: Range): Promise<string> {
  const text = await git.text({
    dir,
    doing: `reading the commits of ${to}`,
    args: [
      'log',
      '--no-color',
      '--max-count=200',
      '--format=%h %an: %B',
      `${checkedCommit(from)}..${checkedCommit(to)}`,
    ],
  });
  return truncated(text, most);
}

async function diffOf({ git, dir }: InRepository, { from, to, most }: Range): Promise<string> {
  const doing = `reading the changes of ${to}`;
  const flags = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--stat', '-p'];
  const args = ['diff', ...flags, `${checkedCommit(from)}...${checkedCommit(to)}`];
  const { code, stdout, stderr } = await git.exec({
    dir,
    doing,
    args,
    mostBytes: most * 4 + 1024 * 1024,
  });
  if (code !== 0 && stdout.length < most)
    throw failureOf({ dir, doing, args }, { code, stdout, stderr });
  return truncated(stdout.toString('utf8'), most);
}

function truncated(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = `\n… truncated; ${text.length - most} more characters`;
  return `${text.slice(0, Math.max(0, most - cut.length))}${cut}`;
}
