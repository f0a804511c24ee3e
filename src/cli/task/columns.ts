import type { OperationResult } from '../../api/operation.ts';
import { formatTime } from '../format-time.ts';
import type { Column } from '../table.ts';

export type Task = OperationResult<'listTasks'>['tasks'][number];

export const TASK_COLUMNS: readonly Column<Task>[] = [
  { head: 'TASK', cell: ({ id }) => id },
  { head: 'STATE', cell: ({ state }) => state },
  { head: 'SINCE', cell: ({ since }) => formatTime(since) },
  { head: 'PROJECT', cell: ({ project }) => project },
  { head: 'SIZE', cell: ({ size }) => size },
  { head: 'FOR', cell: ({ instance, type }) => instance ?? type },
  { head: 'TITLE', cell: ({ title, progress }) => (progress ? `${title} (${progress})` : title) },
];

/** Arguments that several commands have. */
export const TASK_ARGUMENT = { usage: '<task>', about: 'the task, such as t-12' } as const;
export const TASKS_ARGUMENT = {
  usage: '<tasks...>',
  about: 'one or more tasks, such as t-12 t-13; stops at the first refusal',
} as const;
