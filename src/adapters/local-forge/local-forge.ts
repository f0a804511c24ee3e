import { SETUP } from '../../domain/checking/compare-with-base.ts';
import type { Env } from '../../domain/env.ts';
import type { CheckCommand, Isolation } from '../../domain/project.ts';
import type { Redactor } from '../../domain/redaction.ts';
import type { Branches } from '../../ports/branches.ts';
import type { Cell, Cells, Mount } from '../../ports/cell.ts';
import type { CheckReport, Pull, PullRequestHost, Updated } from '../../ports/pull-request-host.ts';
import type { PrepareVariables } from '../../ports/variables.ts';
import type { Mirror, Repository } from '../../ports/workspace.ts';
import { type CheckFailure, runCheck } from './run-check.ts';

interface Needs {
  readonly workspaces: { mirror(repo: Repository): Promise<Mirror & Branches> };
  cellsFor(isolation: Isolation | null): Promise<Cells>;
  readonly prepareVariables: PrepareVariables;
  /** Removes the secrets that the hall knows from the output of checks. */
  readonly redact: Redactor;
  readonly folders: {
    make(name: string): Promise<string>;
    remove(folder: string): Promise<void>;
  };
}

/**
 * The forge of a repository that is only a folder: its pull requests live on the board, the hall runs
 * its checks as commands in a cell, and the hall merges.
 */
export function createLocalForge(needs: Needs): PullRequestHost {
  const mirrorOf = (pull: Pull) =>
    needs.workspaces.mirror({ url: pull.repo.replace(/^file:/, ''), credential: null });

  return {
    async check(pull, stop) {
      const mirror = await mirrorOf(pull);
      const cells = await needs.cellsFor(pull.isolation);
      await using undo = new AsyncDisposableStack();
      const folder = await needs.folders.make(pull.name);
      undo.defer(() => needs.folders.remove(folder));
      const { env, readable } = await needs.prepareVariables(pull.env, {
        kind: cells.kind,
        image: null,
      });
      const cell = undo.use(await openCell(cells, { folder, mirror, pull, readable }));
      await mirror.checkOut(cell, {
        commit: pull.commit,
        branch: pull.branch,
        base: pull.base ?? mirror.defaultBranch,
        who: pull.who,
        objects: cells.kind === 'none' ? mirror.objects : OBJECTS,
      });
      // Without the await the cell would be closed while its checks run.
      const results = needs.redact(await runChecks({ cell, env }, pull, stop));
      return { ...results, ...(await placeOf(mirror, pull)) };
    },

    rerun: async () => null,

    async tips(pull) {
      const mirror = await mirrorOf(pull);
      const base = await mirror.tip(pull.base ?? mirror.defaultBranch);
      return { branch: await mirror.tip(pull.branch), base };
    },

    async update({ branch, commit: expected, who, ...pull }, onto) {
      const mirror = await mirrorOf({ branch, commit: expected, who, ...pull });
      const moved = await mirror.tip(branch);
      if (moved !== expected) return updatedFrom({ is: 'moved', at: moved }, branch);
      const update = await mirror.rebase({ branch, expected, onto, who, signingKey: null });
      return updatedFrom(update, branch);
    },

    async merge(pull) {
      const mirror = await mirrorOf(pull);
      const into = pull.base ?? mirror.defaultBranch;
      const [tip, expected] = [await mirror.tip(pull.branch), await mirror.tip(into)];
      if (expected === null) return { is: 'refused', because: `there is no branch ${into}` };
      if (tip !== pull.commit) return { is: 'moved' };
      const { commit, mergeMethod: how, who } = pull;
      const plan = { commit, into, expected, how, message: messageOf(pull), who, signingKey: null };
      const update = await mirror.merge(plan);
      if (update.is === 'moved') return { is: 'moved' };
      if (update.is !== 'pushed') return update;
      const isUnchanged = await mirror.haveSameFiles(update.commit, commit);
      return { is: 'merged', commit: update.commit, isUnchanged };
    },
  };
}

const OBJECTS = '/run/mirror';

async function placeOf(mirror: Mirror & Branches, pull: Pull) {
  return { base: await startOf(mirror, pull), tree: await mirror.treeOf(pull.commit) };
}

/** The commit of the base branch that the branch of a pull request starts from. */
async function startOf(
  mirror: Mirror & Branches,
  { base, commit }: Pull,
): Promise<CheckReport['base']> {
  const branch = base ?? mirror.defaultBranch;
  const tip = await mirror.tip(branch);
  const start = tip === null ? null : await mirror.mergeBase(tip, commit);
  return start === null ? null : { branch, commit: start };
}

interface CheckPlan {
  readonly folder: string;
  readonly mirror: Mirror;
  readonly pull: Pull;
  readonly readable: readonly Mount[];
}

function openCell(cells: Cells, { folder, mirror, pull, readable }: CheckPlan): Promise<Cell> {
  return cells.open({
    name: pull.name,
    folder: `${folder}/cell`,
    readable: [...readable, { from: mirror.objects, to: OBJECTS }],
    sockets: {},
    limits: pull.limits,
    // Nothing that one branch leaves behind is visible to the checks of another.
    tenant: { instance: 'checks', project: null, image: null },
  });
}

type Results = Omit<CheckReport, 'base' | 'tree'>;

async function runChecks(
  where: { readonly cell: Cell; readonly env: Env },
  pull: Pull,
  stop: AbortSignal,
): Promise<Results> {
  const failing: string[] = [];
  const excerpts: string[] = [];
  const setup = pull.setup.map((run) => ({ name: SETUP, run }));
  for (const check of [...setup, ...pull.checks]) {
    if (stop.aborted) break;
    const failure = await runCheck(where, check, stop);
    if (failure === undefined) continue;
    if (failure.cannotRun)
      return { failing: [], excerpt: '', cannotRun: cannotRunReason(check, failure) };
    failing.push(check.name);
    excerpts.push(`$ ${check.run}\n${failure.output}`);
    if (check.name === SETUP) break;
  }
  return { failing, excerpt: excerpts.join('\n\n').slice(-MAX_EXCERPT), cannotRun: null };
}

function cannotRunReason({ name, run }: CheckCommand, { output }: CheckFailure): string {
  return `the command of ${name} cannot run in the cell: ${run}\n${output.slice(-MAX_REASON)}`;
}

const MAX_REASON = 500;

const MAX_EXCERPT = 12_000;

function messageOf({ title, number, description, mergeMethod }: Pull): string {
  const subject = mergeMethod === 'merge' ? `Merge ${title} (#${number})` : `${title} (#${number})`;
  return description === '' ? subject : `${subject}\n\n${description}`;
}

function updatedFrom(update: Awaited<ReturnType<Branches['rebase']>>, branch: string): Updated {
  switch (update.is) {
    case 'pushed':
      return { is: 'updated', commit: update.commit };
    case 'moved':
      return update.at === null
        ? { is: 'refused', because: `there is no branch ${branch}` }
        : { is: 'updated', commit: update.at };
    default:
      return update;
  }
}
