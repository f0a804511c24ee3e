import type { RunId } from '../domain/ids.ts';
import { timeOutRun } from '../domain/lost-worker.ts';
import type { Run } from '../domain/run.ts';
import { recordExceededTarget } from '../domain/time-target.ts';
import { byChore } from './chore.ts';
import type { Liveness } from './liveness.ts';
import type { Writer } from './writer.ts';

interface Needs {
  readonly writer: Writer;
  readonly liveness: Liveness;
}

/** Ends runs that have worked for longer than the limit of their size. */
export function timeOutRuns({ writer, liveness }: Needs): Promise<unknown> {
  const late = [...writer.board.runs.values()].filter((run) => liveness.worked(run.id) > run.limit);
  return Promise.all(late.map(({ id }) => timeOut(writer, id)));
}

/** Records which runs have worked for longer than the target of their size. */
export function noteExceededTargets({ writer, liveness }: Needs): Promise<unknown> {
  const late = [...writer.board.runs.values()].filter(
    ({ id, target, overTargetSince }) =>
      target !== undefined && overTargetSince === null && liveness.worked(id) > target,
  );
  const meta = byChore('time target');
  return Promise.all(
    late.map(({ id }) =>
      writer.change({ meta, decide: (board) => recordExceededTarget(board, id) }),
    ),
  );
}

function timeOut(writer: Writer, id: RunId) {
  return writer.change({
    meta: byChore('time limit'),
    decide: (board, now) => timeOutRun(board, id, now),
  });
}

/** Waiting for a person does not count as working. */
export function isWorking(run: Run | undefined): boolean {
  return run !== undefined && run.startedAt !== null && run.awaitingApprovalSince === null;
}
