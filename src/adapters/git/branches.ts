import type { Branches, Landed, Merging, Rebasing } from '../../ports/branches.ts';
import { RepositoryFailed } from '../../ports/workspace.ts';
import { cleanMessage } from './clean-message.ts';
import { type Commit, listCommits, readCommits } from './commits.ts';
import { lockMirror, type MirrorPlace } from './mirror.ts';
import { commitOf, refOf } from './names.ts';
import { pushCommit } from './push.ts';
import { commitTree } from './remake.ts';
import { failureOf, type Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly path: string;
  readonly gnupgHome: string | null;
}

interface Here {
  readonly git: Git;
  readonly dir: string;
}

export function branchesOf(needs: Needs, place: MirrorPlace): Branches {
  const here = { git: needs.git, dir: place.dir };
  return {
    async conflicts(one, other) {
      const merged = await mergeTrees(here, one, other);
      return 'files' in merged ? merged.files : [];
    },
    merge: (plan) => merge(needs, place, plan),
    rebase: (plan) => rebase(needs, place, plan),
    log: (from, to, most) => logOf(here, { from, to, most }),
    diff: (from, to, most) => diffOf(here, { from, to, most }),
  };
}

async function merge(needs: Needs, place: MirrorPlace, plan: Merging): Promise<Landed> {
  const here = { git: needs.git, dir: place.dir };
  if (await isWithin(here, plan.commit, plan.expected)) {
    return { is: 'landed', commit: plan.expected };
  }
  const merged = await mergeTrees(here, plan.expected, plan.commit);
  if ('files' in merged) return { is: 'conflict', files: merged.files };
  const [into] = await readCommits(here, [commitOf(plan.expected)]);
  if (into?.tree === merged.tree) return { is: 'landed', commit: plan.expected };
  const parents = plan.how === 'merge' ? [plan.expected, plan.commit] : [plan.expected];
  const made = await commitTree({ ...here, gnupgHome: needs.gnupgHome }, plan, {
    tree: merged.tree,
    parents,
    time: Math.floor(Date.now() / 1000),
    message: cleanMessage(plan.message, []),
  });
  return await land(needs, place, { branch: plan.into, expected: plan.expected, commit: made });
}

async function rebase(needs: Needs, place: MirrorPlace, plan: Rebasing): Promise<Landed> {
  const here = { git: needs.git, dir: place.dir };
  if (await isWithin(here, plan.onto, plan.expected)) {
    return { is: 'landed', commit: plan.expected };
  }
  const names = await listCommits(here, commitOf(plan.expected), {
    known: [commitOf(plan.onto)],
    most: MOST_COMMITS,
  });
  if (names.length > MOST_COMMITS) {
    return { is: 'refused', because: `${plan.branch} has more than ${MOST_COMMITS} commits` };
  }
  let commit = plan.onto;
  for (const picked of await readCommits(here, names)) {
    // A merge brought in what the base has by now.
    if (picked.parents.length !== 1) continue;
    const next = await pick({ ...here, gnupgHome: needs.gnupgHome }, plan, {
      picked,
      onto: commit,
    });
    if ('files' in next) return { is: 'conflict', files: next.files };
    commit = next.commit;
  }
  return await land(needs, place, { branch: plan.branch, expected: plan.expected, commit });
}

const MOST_COMMITS = 500;

type Picked = { readonly commit: string } | { readonly files: readonly string[] };

/**
 * A commit with the tree of the one side and the parent of the other makes that parent the base of
 * the merge, which git itself can be told only since 2.40.
 */
async function pick(
  here: Here & { readonly gnupgHome: string | null },
  { who, signingKey }: Rebasing,
  { picked, onto }: { readonly picked: Commit; readonly onto: string },
): Promise<Picked> {
  const [below] = await readCommits(here, [onto]);
  if (!below) throw new RepositoryFailed(`${onto} is not in its mirror`);
  const time = below.time + 1;
  const aside = await commitTree(
    here,
    { who, signingKey: null },
    { tree: below.tree, parents: picked.parents, time, message: 'aside' },
  );
  const merged = await mergeTrees(here, aside, picked.name);
  if ('files' in merged) return merged;
  if (merged.tree === below.tree) return { commit: onto };
  const { message, author } = picked;
  const made = { tree: merged.tree, parents: [onto], time: Math.max(time, picked.time), message };
  return { commit: await commitTree(here, { who, signingKey }, { ...made, author }) };
}

async function mergeTrees(
  { git, dir }: Here,
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
      commitOf(one),
      commitOf(other),
    ],
  };
  const answer = await git.ask(call);
  const [tree = '', ...files] = answer.out.toString('utf8').split('\0');
  if (answer.code === 0) return { tree: tree.trim() };
  if (answer.code !== 1) throw failureOf(call, answer);
  return { files: [...new Set(files.filter((file) => file !== ''))] };
}

async function isWithin({ git, dir }: Here, commit: string, other: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commitOf(commit), commitOf(other)];
  const call = { dir, doing: `looking whether ${commit} is in ${other}`, args };
  const answer = await git.ask(call);
  if (answer.code !== 0 && answer.code !== 1) throw failureOf(call, answer);
  return answer.code === 0;
}

async function land(
  { git, path }: Needs,
  { dir, remote }: MirrorPlace,
  to: { readonly branch: string; readonly expected: string; readonly commit: string },
): Promise<Landed> {
  using lock = await lockMirror({ path }, dir);
  const pushed = await pushCommit({ git, dir, lock }, remote, to);
  if (pushed.is !== 'pushed') return pushed;
  const args = ['update-ref', refOf(to.branch), to.commit];
  await git.run({ dir, lock, doing: `keeping ${to.branch} in the mirror`, args });
  return { is: 'landed', commit: to.commit };
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly most: number;
}

async function logOf({ git, dir }: Here, { from, to, most }: Range): Promise<string> {
  const text = await git.text({
    dir,
    doing: `reading the commits of ${to}`,
    args: [
      'log',
      '--no-color',
      '--max-count=200',
      '--format=%h %an: %B',
      `${commitOf(from)}..${commitOf(to)}`,
    ],
  });
  return bounded(text, most);
}

async function diffOf({ git, dir }: Here, { from, to, most }: Range): Promise<string> {
  const doing = `reading what ${to} changed`;
  const flags = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--stat', '-p'];
  const args = ['diff', ...flags, `${commitOf(from)}...${commitOf(to)}`];
  const { code, out, said } = await git.ask({
    dir,
    doing,
    args,
    mostBytes: most * 4 + 1024 * 1024,
  });
  if (code !== 0 && out.length < most) throw failureOf({ dir, doing, args }, { code, out, said });
  return bounded(out.toString('utf8'), most);
}

function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = `\n… cut off; ${text.length - most} more characters`;
  return `${text.slice(0, Math.max(0, most - cut.length))}${cut}`;
}
