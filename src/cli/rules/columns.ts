import type { OperationResult } from '../../api/operation.ts';
import { formatTime } from '../format-time.ts';
import type { Column } from '../table.ts';

type Rule = OperationResult<'listRules'>['rules'][number];
export type Decision = OperationResult<'listDecisions'>['decisions'][number];

export const RULE_COLUMNS: readonly Column<Rule>[] = [
  { head: 'RULE', cell: ({ id }) => id },
  { head: 'VERDICT', cell: ({ verdict }) => verdict },
  { head: 'PROJECT', cell: ({ project }) => project ?? 'all' },
  { head: 'MATCHES', cell: ({ match }) => matchText(match) },
  { head: 'UNTIL', cell: ({ expires }) => (expires === null ? '' : formatTime(expires)) },
  { head: 'BY', cell: ({ set_by }) => set_by },
  { head: 'NOTE', cell: ({ note }) => note },
];

function matchText({ program, command, flags, path }: Rule['match']): string {
  const fields = { program, command, flags: flags?.join(' '), path };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return present.map(([name, value]) => `${name} ${value}`).join(', ');
}

export const DECISION_COLUMNS: readonly Column<Decision>[] = [
  { head: 'WHEN', cell: ({ at }) => formatTime(at) },
  { head: 'VERDICT', cell: ({ verdict }) => verdict },
  { head: 'BY', cell: ({ by, actor }) => actor ?? by },
  { head: 'PROJECT', cell: ({ project }) => project },
  { head: 'TASK', cell: ({ task }) => task },
  { head: 'MS', cell: ({ took_ms }) => took_ms.toFixed(1) },
  { head: 'RULE', cell: ({ rule }) => rule },
  { head: 'COMMAND', cell: ({ command }) => command },
];
