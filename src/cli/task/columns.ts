import type { OperationResult } from '../../api/operation.ts';
import { formatTime } from '../format-time.ts';
import type { Colour, Column } from '../table.ts';

export type Task = OperationResult<'listTasks'>['tasks'][number];

/** Red and yellow need a person; the other colours only tell states apart. */
export const STATE_COLOURS: Readonly<Partial<Record<Task['state'], Colour>>> = {
  failed: 'red',
  rejected: 'red',
  awaiting_input: 'yellow',
  awaiting_approval: 'yellow',
  proposed: 'yellow',
  claimed: 'cyan',
  running: 'cyan',
  completed: 'green',
  cancelled: 'dim',
};

export const TASK_COLUMNS: readonly Column<Task>[] = [
  { head: 'TASK', cell: ({ id }) => id },
  { head: 'STATE', cell: ({ state }) => state, colour: ({ state }) => STATE_COLOURS[state] },
  { head: 'SINCE', cell: ({ since }) => formatTime(since) },
  { head: 'PROJECT', cell: ({ project }) => project },
  { head: 'SIZE', cell: ({ size }) => size },
  { head: 'FOR', cell: takerText },
  { head: 'TITLE', cell: ({ title, progress }) => (progress ? `${title} (${progress})` : title) },
];

/** Who may take a task: one instance, or any of a type, perhaps as a persona. */
export function takerText({ instance, agent, type }: Task): string {
  return instance ?? (agent === type ? type : `${agent} (${type})`);
}

/** Arguments that several commands have. */
export const TASK_ARGUMENT = { usage: '<task>', about: 'the task, such as t-12' } as const;
export const TASKS_ARGUMENT = {
  usage: '<tasks...>',
  about: 'one or more tasks, such as t-12 t-13; stops at the first refusal',
} as const;
