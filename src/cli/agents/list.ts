import type { OperationResult } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import type { Column } from '../table.ts';

type Agent = OperationResult<'listAgents'>['agents'][number];
type Persona = OperationResult<'listPersonas'>['personas'][number];

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

const PERSONA_COLUMNS: readonly Column<Persona>[] = [
  { head: 'PERSONA', cell: ({ slug }) => slug },
  { head: 'TYPE', cell: ({ type }) => type },
  { head: 'MODEL', cell: ({ model, model_from, type }) => fromWhere(model, model_from, type) },
  {
    head: 'TURNS',
    cell: ({ max_turns, max_turns_from, type }) => fromWhere(max_turns, max_turns_from, type),
  },
  { head: 'TOOLS', cell: toolsText },
  { head: 'DOMAINS', cell: ({ domains }) => domains.join(', ') || null },
  { head: 'FROM', cell: originText },
];

/** A value that the entry of a persona does not set comes from its type. */
function fromWhere(value: string | number | null, from: 'persona' | 'type', type: string): string {
  return `${value ?? 'none'}${from === 'type' ? ` (type ${type})` : ''}`;
}

function toolsText({ allowed_tools, mcp_servers }: Persona): string {
  const servers = mcp_servers.map(({ name }) => `mcp ${name}`);
  return [allowed_tools?.join(', ') ?? 'all', ...servers].join(', ');
}

function originText({ declared, retired }: Persona): string {
  if (retired) return 'left agents.yml, serves open threads';
  return declared ? `${declared.file}:${declared.line}` : 'the product';
}

export const AGENTS_LIST: CommandSpec = {
  summary: 'list the agents in the pool and the personas they can work as',
  examples: ['guildhall agents list', 'guildhall agents list --json'],
  run: async ({ client, out }) => {
    const [{ agents }, { personas }] = await Promise.all([
      client().call('listAgents'),
      client().call('listPersonas'),
    ]);
    out.answer({ agents, personas }, () =>
      [
        out.table(COLUMNS, agents, 'no agents'),
        '',
        out.table(PERSONA_COLUMNS, personas, 'no personas'),
      ].join('\n'),
    );
  },
};
