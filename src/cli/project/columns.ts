import type { OperationResult } from '../../api/operation.ts';
import { countsText } from '../board-text.ts';
import type { Column } from '../table.ts';

type Project = OperationResult<'getProject'>;

export const PROJECT_COLUMNS: readonly Column<Project>[] = [
  { head: 'PROJECT', cell: ({ name }) => name },
  { head: 'REPO', cell: ({ repo }) => repo },
  {
    head: 'RUNNING',
    cell: ({ running, max_workers }) => `${running}/${max_workers}`,
    align: 'right',
  },
  {
    head: 'DECLARED',
    cell: ({ declared }) => (declared ? `${declared.file}:${declared.line}` : null),
  },
  { head: 'PAUSED', cell: ({ paused }) => (paused ? (paused.because ?? 'yes') : '') },
  { head: 'TASKS', cell: ({ counts }) => countsText(counts) },
];
