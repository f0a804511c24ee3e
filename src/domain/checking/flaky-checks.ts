import type { Board } from '../board.ts';
import type { ThreadId } from '../ids.ts';
import { NO_TALLY, type Tally } from '../project.ts';
import type { Row } from '../row.ts';
import type { Rerun, Thread, ThreadOnForge } from '../thread.ts';
import { isBaseUnknown, ownFailures } from './compare-with-base.ts';
import { checksAreRed } from './status.ts';

/** A check that nobody saw fail and pass on one commit for this many others is no longer called flaky. */
const MAX_REMEMBERED = 50;

export function rememberFlaky(
  board: Board,
  id: ThreadId,
  flaked: readonly string[],
): readonly Row[] {
  const project = board.threads.get(id)?.project;
  if (project === undefined || flaked.length === 0) return [];
  const tally = board.tallies.get(project) ?? NO_TALLY;
  const others = (tally.flakyChecks ?? []).filter((name) => !flaked.includes(name));
  const row: Tally = { ...tally, flakyChecks: [...others, ...flaked].slice(-MAX_REMEMBERED) };
  board.tallies.set(project, row);
  return [{ table: 'tally', key: project, row }];
}

/**
 * All that fails is known to be flaky, and was not started again on this commit yet. The hall does that
 * once, which costs no model run.
 */
export function isRerunDue(board: Board, { project, forge, tasks }: Thread): boolean {
  const { checks } = forge;
  if (!checks || !checksAreRed(forge) || isBaseUnknown(forge) || tasks.length > 0) return false;
  const own = ownFailures(checks);
  const flaky = board.tallies.get(project)?.flakyChecks ?? [];
  return checks.rerun === undefined && own.length > 0 && own.every((name) => flaky.includes(name));
}

/** A failure that is tried once more does not count as one of the failures in a row. */
export function afterRerun(forge: ThreadOnForge, rerun: Rerun): ThreadOnForge {
  const { checks } = forge;
  if (!checks) return forge;
  if (rerun.newest === null) return { ...forge, checks: { ...checks, rerun } };
  const ciRetries = Math.max(0, forge.ciRetries - 1);
  return { ...forge, ciRetries, checks: { ...checks, is: 'pending', rerun } };
}
