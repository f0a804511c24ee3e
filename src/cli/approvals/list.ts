import type { OperationResult } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import { parseInput } from '../parsed-input.ts';
import type { Column } from '../table.ts';

type Approval = OperationResult<'listApprovals'>['approvals'][number];

const COLUMNS: readonly Column<Approval>[] = [
  { head: 'APPROVAL', cell: ({ id }) => id },
  { head: 'REQUESTED', cell: ({ requested_at }) => formatTime(requested_at) },
  { head: 'EXPIRES AT', cell: ({ expires_at }) => formatTime(expires_at) },
  { head: 'PROJECT', cell: ({ project }) => project },
  { head: 'TASK', cell: ({ task }) => task },
  { head: 'COMMAND', cell: ({ command }) => command },
  { head: 'WHY', cell: ({ because }) => because },
];

export const APPROVALS_LIST: CommandSpec = {
  summary: 'list agent commands that wait for a person',
  options: [{ flags: '-p, --project <project>', about: 'only this project' }],
  examples: ['guildhall approvals list', 'guildhall approvals list --project shop --json'],
  run: async ({ client, out }, input) => {
    const query = parseInput({ project: input.text('project') });
    out.answer(await client().call('listApprovals', { query }), ({ approvals }) =>
      out.table(COLUMNS, approvals, 'no approvals are pending'),
    );
  },
};
