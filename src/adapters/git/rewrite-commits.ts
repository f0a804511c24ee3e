import { isAbsolute } from 'node:path';
import type { Identity } from '../../ports/workspace.ts';
import { cleanMessage } from './clean-message.ts';
import type { Author, Commit } from './commits.ts';
import type { Git, GitCall } from './run-git.ts';

/** Who stands in every commit that the host makes. */
interface CommitIdentity {
  readonly who: Identity;
  readonly trailers: readonly string[];
  readonly signingKey: string | null;
}

interface Needs {
  readonly git: Git;
  readonly dir: string;
  /** Where the keys of OpenPGP are; null where there are none. */
  readonly gnupgHome: string | null;
}

/**
 * The same trees as commits of our own making, parents first. Of an agent's commit only tree, message
 * and order are taken over; a commit that changes nothing is left out.
 */
export async function rewriteCommits(
  needs: Needs,
  commits: readonly Commit[],
  identity: CommitIdentity & { readonly base: Commit },
): Promise<string> {
  const rewritten = new Map<string, { readonly name: string; readonly tree: string }>();
  let time = identity.base.time;
  let last = identity.base.name;
  for (const commit of commits) {
    const parents = commit.parents.map((parent) => rewritten.get(parent)?.name ?? parent);
    const [only] = commit.parents;
    const before =
      only === identity.base.name ? identity.base.tree : rewritten.get(only ?? '')?.tree;
    if (commit.parents.length === 1 && before === commit.tree) {
      last = parents[0] ?? last;
    } else {
      time = plausibleTime(commit.time, time);
      const message = cleanMessage(commit.message, identity.trailers);
      last = await commitTree(needs, identity, { tree: commit.tree, parents, time, message });
    }
    rewritten.set(commit.name, { name: last, tree: commit.tree });
  }
  return last;
}

interface CommitPlan {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly time: number;
  readonly message: string;
  /** Of a commit that goes on under another parent; left out, the maker is the author. */
  readonly author?: Author;
}

export async function commitTree(
  { git, dir, gnupgHome }: Needs,
  { who, signingKey }: Pick<CommitIdentity, 'who' | 'signingKey'>,
  { tree, parents, time, message, author }: CommitPlan,
): Promise<string> {
  const name = who.name.replace(/\p{C}/gu, ' ');
  const email = who.email.replace(/\p{C}/gu, ' ');
  const date = `${time} +0000`;
  return await git.text({
    dir,
    doing: 'making a commit',
    ...signing(signingKey, gnupgHome, {
      GIT_AUTHOR_NAME: author?.name ?? name,
      GIT_AUTHOR_EMAIL: author?.email ?? email,
      GIT_AUTHOR_DATE: author?.date ?? date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    }),
    args: [
      'commit-tree',
      ...(signingKey === null ? [] : ['-S']),
      ...parents.flatMap((parent) => ['-p', parent]),
      '-F',
      '-',
      tree,
    ],
    stdin: message,
  });
}

/** A path is a key of ssh, everything else the name of one of OpenPGP. */
function signing(
  key: string | null,
  gnupgHome: string | null,
  env: Record<string, string>,
): Pick<GitCall, 'config' | 'env'> {
  if (key === null) return { env };
  const format = isAbsolute(key) ? 'ssh' : 'openpgp';
  const authenticator = gnupgHome === null ? {} : { GNUPGHOME: gnupgHome };
  return {
    env: { ...env, ...authenticator },
    config: [`gpg.format=${format}`, `user.signingKey=${key}`],
  };
}

/**
 * What the agent's clock said, as long as it goes forward and not past ours. Taking the time of the
 * making instead would give the same work another name each time it is harvested.
 */
function plausibleTime(claimedTime: number, before: number): number {
  return claimedTime >= before && claimedTime <= Date.now() / 1000 + CLOCK_DRIFT
    ? claimedTime
    : before + 1;
}

const CLOCK_DRIFT = 60;
