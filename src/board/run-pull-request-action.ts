import { baseResultOf } from '../domain/checking/base-results.ts';
import { reportChecksCannotRun } from '../domain/checking/cannot-run.ts';
import { arePassing, mendedText } from '../domain/checking/compare-with-base.ts';
import { reportBaseChecks } from '../domain/checking/report-base-checks.ts';
import { reportChecks } from '../domain/checking/report-checks.ts';
import { reportRerun } from '../domain/checking/report-rerun.ts';
import { checksAreGreen } from '../domain/checking/status.ts';
import { isBeingWritten, reportBranchUpdated } from '../domain/checking/update-branch.ts';
import { nameOf } from '../domain/ids.ts';
import { reportConflict } from '../domain/merging/conflict.ts';
import { recordMerge } from '../domain/merging/merged.ts';
import { isForcedMerge } from '../domain/merging/policy.ts';
import { reportMergeRefusal } from '../domain/merging/refusal.ts';
import type { PullRequestAction } from '../domain/pull-request-actions.ts';
import { knownPullRequest } from '../domain/thread.ts';
import type { Log } from '../ports/log.ts';
import type { Pull, PullRequestHost } from '../ports/pull-request-host.ts';
import { changeAsHall } from './change-as-hall.ts';
import type { CheckBase } from './check-base.ts';
import type { Hall } from './hall.ts';

export interface ActionNeeds {
  readonly hall: Hall;
  readonly host: PullRequestHost;
  readonly log: Log;
  readonly checkBase: CheckBase;
  /** Called when the host asked to try the same again in a moment. */
  readonly tryAgain: (action: PullRequestAction) => void;
}

/** Does outside the board what one pull request needs, and records the result. */
export async function runPullRequestAction(
  needs: ActionNeeds,
  action: PullRequestAction,
  stop: AbortSignal,
): Promise<void> {
  const pull = await pullOf(needs, action);
  switch (action.kind) {
    case 'check':
      return runChecks(needs, action, { pull, stop });
    case 'check-base': {
      const base = action.thread.forge.checks?.base;
      if (base) await needs.checkBase(action, { pull, base, stop });
      return;
    }
    case 'rerun':
      return rerun(needs, action, pull);
    case 'rebase': {
      const { base: tip } = await needs.host.tips(pull);
      if (tip !== null) await rebase(needs, action, { pull, onto: tip });
      return;
    }
    case 'update':
      return update(needs, action, { pull, stop });
    case 'merge':
      return merge(needs, action, pull);
  }
}

interface OnPull {
  readonly pull: Pull;
  readonly stop: AbortSignal;
}

async function runChecks(
  needs: ActionNeeds,
  action: PullRequestAction,
  { pull, stop }: OnPull,
): Promise<void> {
  const { hall, host, log } = needs;
  const { commit } = action;
  if (await recordMove(needs, action, pull)) return;
  const thread = action.thread.id;
  log.info('pull request action started', factsOf(action));
  const { failing, excerpt, cannotRun, base, tree } = await host.check(pull, stop);
  if (stop.aborted) return;
  if (cannotRun !== null) {
    log.error('checks cannot run', { ...factsOf(action), because: cannotRun });
    const found = { thread, commit, because: cannotRun };
    await changeAsHall(hall, (board, now) => reportChecksCannotRun(board, found, now));
    return;
  }
  const is = failing.length === 0 ? 'green' : 'red';
  const facts = {
    ...(base && { base: { ...base, failing: null } }),
    ...(is === 'red' && tree !== null && { tree }),
  };
  const results = { thread, checks: { commit, is, failing, ...facts }, excerpt } as const;
  await changeAsHall(hall, (board, now) => reportChecks(board, results, now));
}

async function rerun(
  { hall, host, log }: ActionNeeds,
  action: PullRequestAction,
  pull: Pull,
): Promise<void> {
  const { thread, commit } = action;
  log.info('pull request action started', factsOf(action));
  const newest = await host.rerun(pull, thread.forge.checks?.failing ?? []);
  const found = { thread: thread.id, commit, newest };
  await changeAsHall(hall, (board, now) => reportRerun(board, found, now));
}

/** Records that a person pushed to the branch; what is known about the commit before says nothing then. */
async function recordMove(
  { hall, host }: ActionNeeds,
  { thread, commit: from }: PullRequestAction,
  pull: Pull,
): Promise<boolean> {
  if (isBeingWritten(hall.board, thread)) return false;
  const { branch: commit } = await host.tips(pull);
  if (commit === null || commit === from) return false;
  const found = { thread: thread.id, from, commit };
  await changeAsHall(hall, (board, now) => reportBranchUpdated(board, found, now));
  return true;
}

/** Moves the branch onto the newest commit of its base, if the checks that wait for it are green there. */
async function update(
  { hall, host, log, checkBase }: ActionNeeds,
  action: PullRequestAction,
  { pull, stop }: OnPull,
): Promise<void> {
  const { thread, project } = action;
  const { base, failing = [] } = thread.forge.checks ?? {};
  const { base: tip } = await host.tips(pull);
  if (!base || tip === null || tip === base.commit) return;
  const result =
    baseResultOf(hall.board, project.name, tip) ??
    (await checkBase(action, { pull, base: { branch: base.branch, commit: tip }, stop }));
  if (!result || !arePassing(failing, result.failing)) return;
  await rebase({ hall, host, log }, action, { pull, onto: tip });
}

/** Without a model run, unless it conflicts. */
async function rebase(
  { hall, host, log }: Pick<ActionNeeds, 'hall' | 'host' | 'log'>,
  action: PullRequestAction,
  { pull, onto }: { readonly pull: Pull; readonly onto: string },
): Promise<void> {
  const { thread, commit: from } = action;
  log.info('pull request action started', factsOf(action));
  const updated = await host.update(pull, onto);
  switch (updated.is) {
    case 'updated': {
      const found = { thread: thread.id, from, commit: updated.commit };
      await changeAsHall(hall, (board, now) => reportBranchUpdated(board, found, now));
      return;
    }
    case 'conflict': {
      const found = { thread: thread.id, commit: from, files: updated.files };
      await changeAsHall(hall, (board, now) => reportConflict(board, found, now));
      return;
    }
    case 'refused':
      throw new Error(updated.because);
  }
}

async function merge(needs: ActionNeeds, action: PullRequestAction, pull: Pull): Promise<void> {
  const { hall, host, log } = needs;
  const thread = action.thread.id;
  log.info('pull request action started', factsOf(action));
  const isForced = isForcedMerge(action.thread, action.project.settings);
  const merged = await host.merge(pull);
  switch (merged.is) {
    case 'merged': {
      const isGreen = checksAreGreen(action.thread.forge);
      if (merged.isUnchanged && isGreen) await baseIsGreen(hall, action, merged.commit);
      await changeAsHall(hall, (board, now) => recordMerge(board, { thread, isForced }, now));
      return;
    }
    case 'conflict': {
      const found = { thread, commit: action.commit, files: merged.files };
      await changeAsHall(hall, (board, now) => reportConflict(board, found, now));
      return;
    }
    case 'moved':
      await recordMove(needs, action, pull);
      return;
    case 'not_yet':
      log.info('merge is not possible yet', { ...factsOf(action), because: merged.because });
      needs.tryAgain(action);
      return;
    case 'refused': {
      log.error('merge refused', { ...factsOf(action), because: merged.because });
      const found = { thread, because: merged.because };
      await changeAsHall(hall, (board, now) => reportMergeRefusal(board, found, now));
    }
  }
}

/** The base now has the files that were checked, so checking them again would tell nothing. */
async function baseIsGreen(
  hall: Hall,
  { project }: PullRequestAction,
  commit: string,
): Promise<void> {
  const result = { project: project.name, commit, failing: [], excerpt: '' };
  await changeAsHall(hall, (board, now) => reportBaseChecks(board, result, now));
}

export function factsOf({ kind, thread, commit, project }: PullRequestAction) {
  const name = nameOf('thread', thread.id);
  return { action: kind, thread: name, project: project.name, commit };
}

async function pullOf({ hall }: ActionNeeds, action: PullRequestAction): Promise<Pull> {
  const { thread, project, branch, commit } = action;
  const { settings } = project;
  const [record] = await hall.store.threadsById([thread.id]);
  const number = knownPullRequest(thread.forge.pr)?.number ?? thread.id;
  return {
    repo: settings.repo ?? '',
    name: `${nameOf('thread', thread.id)}-${commit.slice(0, 12)}`,
    title: record?.title ?? nameOf('thread', thread.id),
    description: mendedText(thread.forge.checks),
    number,
    branch,
    commit,
    base: settings.base,
    mergeMethod: settings.mergeMethod,
    who: { name: 'Guildhall', email: 'hall@guildhall.invalid' },
    checks: settings.checks,
    setup: settings.setup,
    env: settings.env,
    isolation: settings.isolation,
    limits: settings.limits,
  };
}
