import type { OperationResult } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import type { Column } from '../table.ts';

type Invoker = OperationResult<'listInvokers'>['invokers'][number];

const COLUMNS: readonly Column<Invoker>[] = [
  { head: 'INVOKER', cell: ({ handle }) => handle },
  {
    head: 'SPENT',
    cell: ({ used, reserved, weekly_cap }) => `${used + reserved}/${weekly_cap}`,
    align: 'right',
  },
  { head: 'PROJECTS', cell: ({ projects }) => projects?.join(', ') ?? 'all' },
  { head: 'LAST USED', cell: ({ last_used }) => formatTime(last_used) },
  { head: 'STATE', cell: ({ paused, parked_until }) => stateText(paused !== null, parked_until) },
];

function stateText(paused: boolean, parked: string | null): string {
  if (paused) return 'paused';
  return parked === null ? 'ready' : `parked until ${formatTime(parked)}`;
}

export const INVOKERS_LIST: CommandSpec = {
  summary: 'list who pays for runs, and how much of each weekly cap is spent',
  examples: ['guildhall invokers list'],
  run: async ({ client, out }) => {
    const empty = 'no invokers; only workers with their own model can claim tasks';
    out.answer(await client().call('listInvokers'), ({ invokers }) =>
      out.table(COLUMNS, invokers, empty),
    );
  },
};
