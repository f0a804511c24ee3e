import type { Board } from './board.ts';
import { type Decision, decide, refuseWith } from './decision.ts';
import { nameOf, type RunId } from './ids.ts';
import { refuse } from './refusal.ts';

/** The run has worked for longer than the target of its size. It goes on; people see it. */
export function recordExceededTarget(board: Board, id: RunId): Decision<RunId> {
  const run = board.runs.get(id);
  if (!run) return refuseWith(refuse('unknown_run', `${nameOf('run', id)} has ended`));
  if (run.overTargetSince !== null) return decide(id, []);
  return decide(id, [{ type: 'TargetExceeded', run: id }]);
}
