import type { OperationResult } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import type { Column } from '../table.ts';

type Agent = OperationResult<'listAgents'>['agents'][number];

const COLUMNS: readonly Column<Agent>[] = [
  { head: 'AGENT', cell: ({ name }) => name },
  { head: 'TYPE', cell: ({ type }) => type },
  { head: 'MODEL', cell: ({ model }) => model ?? 'from its type' },
  {
    head: 'RUNNING',
    cell: ({ running, parallel }) => `${running}/${parallel || 'any'}`,
    align: 'right',
  },
  { head: 'WORKERS', cell: ({ workers }) => workers, align: 'right' },
  { head: 'LABELS', cell: ({ match_labels }) => match_labels.join(', ') || null },
  { head: 'STATE', cell: ({ enabled, paused }) => stateText(enabled, paused !== null) },
];

function stateText(enabled: boolean, paused: boolean): string {
  if (!enabled) return 'disabled';
  return paused ? 'paused' : 'ready';
}

export const AGENTS_LIST: CommandSpec = {
  path: 'agents list',
  summary: 'list the agents in the pool',
  uses: 'hall',
  examples: ['guildhall agents list', 'guildhall agents list --json'],
  run: async ({ client, out }) => {
    out.answer(await client().call('listAgents'), ({ agents }) =>
      out.table(COLUMNS, agents, 'no agents'),
    );
  },
};
