import type { CheckCommand, Isolation } from '../../domain/project.ts';
import type { Branches } from '../../ports/branches.ts';
import type { Cell, Cells } from '../../ports/cell.ts';
import type { CheckReport, Forge, Merged, Pull } from '../../ports/forge.ts';
import type { Mirror, Repository } from '../../ports/workspace.ts';
import { type CheckFailure, runCheck } from './run-check.ts';

interface Needs {
  readonly workspaces: { mirror(repo: Repository): Promise<Mirror & Branches> };
  cellsFor(isolation: Isolation | null): Promise<Cells>;
  readonly folders: {
    make(name: string): Promise<string>;
    remove(folder: string): Promise<void>;
  };
}

/**
 * The forge of a repository that is only a folder: its pull requests live on the board, the hall runs
 * its checks as commands in a cell, and the hall merges.
 */
export function createLocalForge(needs: Needs): Forge {
  const mirrorOf = (pull: Pull) =>
    needs.workspaces.mirror({ url: pull.repo.replace(/^file:/, ''), credential: null });

  return {
    async check(pull, stop) {
      const mirror = await mirrorOf(pull);
      const cells = await needs.cellsFor(pull.isolation);
      await using undo = new AsyncDisposableStack();
      const folder = await needs.folders.make(pull.name);
      undo.defer(() => needs.folders.remove(folder));
      const cell = undo.use(await openCell(cells, { folder, mirror, pull }));
      await mirror.checkOut(cell, {
        commit: pull.commit,
        branch: pull.branch,
        base: pull.base ?? mirror.defaultBranch,
        who: pull.who,
        objects: cells.kind === 'none' ? mirror.objects : OBJECTS,
      });
      // Without the await the cell would be closed while its checks run.
      return await runChecks(cell, pull, stop);
    },

    async merge(pull) {
      const mirror = await mirrorOf(pull);
      const into = pull.base ?? mirror.defaultBranch;
      const [tip, expected] = [await mirror.tip(pull.branch), await mirror.tip(into)];
      if (expected === null) return { is: 'refused', because: `there is no branch ${into}` };
      if (tip !== pull.commit) return { is: 'moved' };
      const message = `Merge ${pull.title} (#${pull.number})`;
      return mergedFrom(
        await mirror.merge({
          commit: pull.commit,
          into,
          expected,
          how: 'merge',
          message,
          who: pull.who,
          signingKey: null,
        }),
      );
    },
  };
}

const OBJECTS = '/run/mirror';

function openCell(
  cells: Cells,
  { folder, mirror, pull }: { folder: string; mirror: Mirror; pull: Pull },
): Promise<Cell> {
  return cells.open({
    name: pull.name,
    folder: `${folder}/cell`,
    readable: [{ from: mirror.objects, to: OBJECTS }],
    sockets: {},
    limits: pull.limits,
    // Nothing that one branch leaves behind is visible to the checks of another.
    tenant: { instance: 'checks', project: null, image: null },
  });
}

async function runChecks(cell: Cell, pull: Pull, stop: AbortSignal): Promise<CheckReport> {
  const failing: string[] = [];
  const excerpts: string[] = [];
  const setup = pull.setup.map((run) => ({ name: 'setup', run }));
  for (const check of [...setup, ...pull.checks]) {
    if (stop.aborted) break;
    const failure = await runCheck(cell, check, stop);
    if (failure === undefined) continue;
    if (failure.cannotRun)
      return { failing: [], excerpt: '', cannotRun: cannotRunReason(check, failure) };
    failing.push(check.name);
    excerpts.push(`$ ${check.run}\n${failure.output}`);
    if (check.name === 'setup') break;
  }
  return { failing, excerpt: excerpts.join('\n\n').slice(-MAX_EXCERPT), cannotRun: null };
}

function cannotRunReason({ name, run }: CheckCommand, { output }: CheckFailure): string {
  return `the command of ${name} cannot run in the cell: ${run}\n${output.slice(-MAX_REASON)}`;
}

const MAX_REASON = 500;

const MAX_EXCERPT = 12_000;

function mergedFrom(update: Awaited<ReturnType<Branches['merge']>>): Merged {
  switch (update.is) {
    case 'pushed':
      return { is: 'merged', commit: update.commit };
    case 'moved':
      return { is: 'moved' };
    default:
      return update;
  }
}
