import type { OperationResult } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import type { Column } from '../table.ts';

type Worker = OperationResult<'listWorkers'>['workers'][number];

export const WORKER_COLUMNS: readonly Column<Worker>[] = [
  { head: 'WORKER', cell: ({ id }) => id },
  { head: 'AGENT', cell: ({ instance }) => instance },
  { head: 'TASK', cell: ({ run }) => run?.task ?? null },
  { head: 'SEEN', cell: ({ last_seen }) => formatTime(last_seen) },
  { head: 'STATE', cell: stateText },
  { head: 'HOST', cell: ({ host }) => host },
];

function stateText({ run, draining, waiting }: Worker): string {
  if (draining) return 'draining';
  if (run) return 'busy';
  return waiting ? 'waiting' : 'idle';
}

export const WORKER_LIST: CommandSpec = {
  summary: 'list the registered workers and their tasks',
  examples: ['guildhall worker list'],
  run: async ({ client, out }) => {
    const text = 'no workers';
    out.answer(await client().call('listWorkers'), ({ workers }) =>
      out.table(WORKER_COLUMNS, workers, text),
    );
  },
};
