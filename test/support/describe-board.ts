import type { Board } from '../../src/domain/board.ts';
import type { JournaledMap } from '../../src/domain/journaled-map.ts';

/**
 * Everything that a board holds, rows and indexes, in canonical form: two boards that decide alike have the
 * same text. Caches are left out: who was served last, which restarts with the hall, and computed takers.
 */
export function describeBoard(board: Board): string {
  const lines: string[] = [`seq ${board.seq}`, `hall ${written(board.hall)}`];
  for (const [name, rows] of keptIn(board)) {
    const described = [...rows.entries()].map(([key, row]) => `${name} ${key} ${written(row)}`);
    lines.push(...described.sort());
  }
  for (const [id, dependents] of [...board.dependents.entries()].sort(([a], [b]) => a - b)) {
    lines.push(`dependents ${id} ${written([...dependents].sort((a, b) => a - b))}`);
  }
  const ready = [...board.ready.all()].map(([route, thread, task]) =>
    written({ route, thread, task }),
  );
  lines.push(...ready.sort().map((line) => `ready ${line}`));
  for (const [at, task] of board.due) lines.push(`due ${at} ${task}`);
  return lines.join('\n');
}

type AnyKept = JournaledMap<string, unknown> | JournaledMap<number, unknown>;

function keptIn(
  board: Board,
): readonly (readonly [name: string, rows: Pick<AnyKept, 'entries'>])[] {
  return [
    ['project', board.projects],
    ['tally', board.tallies],
    ['base checks', board.baseResults],
    ['type', board.types],
    ['persona', board.personas],
    ['instance', board.instances],
    ['invoker', board.invokers],
    ['token', board.tokens],
    ['secret', board.secrets],
    ['rule', board.rules],
    ['approval', board.approvals],
    ['thread', board.threads],
    ['task', board.tasks],
    ['run', board.runs],
    ['worker', board.workers],
    ['running in', board.runningIn],
    ['running as', board.runningAs],
    ['run of', board.runOf],
    ['runs in', board.runsIn],
    ['approvals of', board.approvalsOf],
    ['open in', board.openIn],
    ['in state', board.inState],
    ['related', board.relatedThreads],
    ['asked', board.requestedLabels],
  ];
}

/** JSON with the keys of every object in order. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
