import { type BaseResult, baseResultOf } from '../domain/checking/base-results.ts';
import { reportBaseChecks } from '../domain/checking/report-base-checks.ts';
import type { PullRequestAction } from '../domain/pull-request-actions.ts';
import type { Log } from '../ports/log.ts';
import type { Pull, PullRequestHost } from '../ports/pull-request-host.ts';
import { changeAsHall } from './change-as-hall.ts';
import type { Hall } from './hall.ts';

interface Needs {
  readonly hall: Hall;
  readonly host: PullRequestHost;
  readonly log: Log;
}

interface BaseCommit {
  readonly pull: Pull;
  readonly base: { readonly branch: string; readonly commit: string };
  readonly stop: AbortSignal;
}

/** Undefined when the hall stops before the result is there. */
export type CheckBase = (
  action: PullRequestAction,
  commit: BaseCommit,
) => Promise<BaseResult | undefined>;

/** Runs the checks of a project on a base commit, once however many branches start there. */
export function createBaseChecks(needs: Needs): CheckBase {
  const underWay = new Map<string, Promise<BaseResult | undefined>>();
  return (action, commit) => {
    const key = `${action.project.name} ${commit.base.commit}`;
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const started = checkBase(needs, action, commit).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}

async function checkBase(
  { hall, host, log }: Needs,
  { project }: PullRequestAction,
  { pull, base: { branch, commit }, stop }: BaseCommit,
): Promise<BaseResult | undefined> {
  const known = baseResultOf(hall.board, project.name, commit);
  if (known) return known;
  log.info('checks of a base commit started', { project: project.name, branch, commit });
  const name = `${pull.name}-base-${commit.slice(0, 12)}`;
  const { failing, excerpt } = await host.check({ ...pull, name, branch, commit }, stop);
  if (stop.aborted) return undefined;
  // A check that cannot start here says nothing about the base, and does not count as red on it.
  const result = { commit, failing, excerpt };
  await changeAsHall(hall, (board, now) =>
    reportBaseChecks(board, { project: project.name, ...result }, now),
  );
  return result;
}
