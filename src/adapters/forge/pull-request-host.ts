import type { Branches } from '../../ports/branches.ts';
import { type Forge, ForgeFailed } from '../../ports/forge.ts';
import type { Merged, Pull, PullRequestHost, Updated } from '../../ports/pull-request-host.ts';
import type { Mirror, Repository } from '../../ports/workspace.ts';

interface Needs {
  readonly workspaces: { mirror(repo: Repository): Promise<Mirror & Branches> };
  /** The forge of `github:acme/shop`, and the repository there. */
  readonly placeOf: (repo: string) => { readonly forge: Forge; readonly path: string };
}

/** Pull requests on a forge: it checks and merges, and the hall rebases with git. */
export function createForgePullRequests({ workspaces, placeOf }: Needs): PullRequestHost {
  async function mirrorOf({ repo }: Pull): Promise<Mirror & Branches> {
    const { forge, path } = placeOf(repo);
    const { url, credential } = await forge.gitAccess(path, 'write');
    return await workspaces.mirror({ url, credential, name: repo });
  }

  return {
    async check({ repo, commit }) {
      const { forge, path } = placeOf(repo);
      const checks = await forge.checksOf(path, commit);
      if (checks.some(({ is }) => is === 'pending')) {
        throw new ForgeFailed(`the checks of ${commit} have not ended yet`, { retry: 'later' });
      }
      const failing = checks.filter(({ is }) => is === 'red').map(({ name }) => name);
      return { failing: failing.sort(), excerpt: '', cannotRun: null, base: null, tree: null };
    },

    rerun: ({ repo, commit }, names) => rerunChecks(placeOf(repo), commit, names),

    async tips(pull) {
      const mirror = await mirrorOf(pull);
      const base = await mirror.tip(pull.base ?? mirror.defaultBranch);
      return { branch: await mirror.tip(pull.branch), base };
    },

    async update(pull, onto) {
      const mirror = await mirrorOf(pull);
      const { branch, commit: expected, who } = pull;
      const update = await mirror.rebase({ branch, expected, onto, who, signingKey: null });
      return updatedFrom(update, branch);
    },

    async merge(pull): Promise<Merged> {
      const { repo, number, commit, mergeMethod: method, title } = pull;
      const { forge, path } = placeOf(repo);
      const merged = await forge.merge({
        repo: path,
        number,
        commit,
        method,
        title: `${title} (#${number})`,
      });
      switch (merged.is) {
        case 'merged':
          return { is: 'merged', commit: merged.commit, isUnchanged: false };
        case 'conflict':
          return rebased(await mirrorOf(pull), pull);
        case 'not_yet': {
          const mirror = await mirrorOf(pull);
          return (await hasConflicts(mirror, pull)) ? rebased(mirror, pull) : merged;
        }
        default:
          return merged;
      }
    },
  };
}

/** The jobs of one run start together, and its second start is refused. */
async function rerunChecks(
  { forge, path }: ReturnType<Needs['placeOf']>,
  commit: string,
  names: readonly string[],
): Promise<number | null> {
  const checks = await forge.checksOf(path, commit);
  const failed = checks.filter(({ name, is }) => is === 'red' && names.includes(name));
  let isStarted = false;
  for (const check of failed) isStarted = (await forge.rerun(path, check)) || isStarted;
  return isStarted ? Math.max(...failed.map(({ at }) => at)) : null;
}

/** Gitea answers alike while it looks for conflicts and when it has found some, so git decides. */
async function hasConflicts(mirror: Mirror & Branches, pull: Pull): Promise<boolean> {
  const base = await mirror.tip(pull.base ?? mirror.defaultBranch);
  return base !== null && (await mirror.conflicts(base, pull.commit)).length > 0;
}

/** Git rebases what the forge cannot merge; what conflicts for git too needs an agent, who gets the files' names. */
async function rebased(mirror: Mirror & Branches, pull: Pull): Promise<Merged> {
  const { branch, commit: expected, who } = pull;
  const into = pull.base ?? mirror.defaultBranch;
  const onto = await mirror.tip(into);
  if (onto === null) return { is: 'refused', because: `there is no branch ${into}` };
  const update = await mirror.rebase({ branch, expected, onto, who, signingKey: null });
  if (update.is !== 'pushed') return update;
  const isSame = update.commit === expected;
  return isSame ? { is: 'not_yet', because: STILL_COMPUTED } : { is: 'moved' };
}

const STILL_COMPUTED = 'the forge does not know yet that the conflict is gone';

function updatedFrom(update: Awaited<ReturnType<Branches['rebase']>>, branch: string): Updated {
  if (update.is === 'pushed') return { is: 'updated', commit: update.commit };
  if (update.is !== 'moved') return update;
  return update.at === null
    ? { is: 'refused', because: `there is no branch ${branch}` }
    : { is: 'updated', commit: update.at };
}
