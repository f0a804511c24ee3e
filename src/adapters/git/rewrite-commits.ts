import { isAbsolute } from 'node:path';
import type { Identity } from '../../ports/workspace.ts';
import { cleanMessage } from './clean-message.ts';
import type { Author, Commit } from './commits.ts';
import type { Git, GitCall } from './run-git.ts';

/** The identity in every commit that the host creates. */
interface CommitIdentity {
  readonly who: Identity;
  readonly trailers: readonly string[];
  readonly signingKey: string | null;
}

interface Needs {
  readonly git: Git;
  readonly dir: string;
  /** Folder of the OpenPGP keys; null where there are none. */
  readonly gnupgHome: string | null;
}

/**
 * Recreates the commits with the same trees, parents first. Takes only tree, message and order from an
 * agent's commit; skips a commit that changes nothing.
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
  /** Set for a commit moved to another parent; defaults to the committer. */
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
    doing: 'creating a commit',
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

/** A path is an ssh key; anything else names an OpenPGP key. */
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
 * The agent's clock, as long as it moves forward and not past ours. With the time of the rewrite, the
 * same work would get another name at each harvest.
 */
function plausibleTime(claimedTime: number, before: number): number {
  return claimedTime >= before && claimedTime <= Date.now() / 1000 + CLOCK_DRIFT
    ? claimedTime
    : before + 1;
}

const CLOCK_DRIFT = 60;
