import type { Answered } from '../../api/operation.ts';
import type { Column } from '../table.ts';

export type Thread = Answered<'listThreads'>['threads'][number];

export const THREAD_COLUMNS: readonly Column<Thread>[] = [
  { head: 'THREAD', cell: ({ id }) => id },
  { head: 'STATE', cell: ({ state, handed_over }) => (handed_over ? 'handed over' : state) },
  { head: 'PROJECT', cell: ({ project }) => project },
  { head: 'SIZE', cell: ({ size }) => size },
  { head: 'WAITS FOR', cell: ({ waits_for }) => waits_for.join(', ') || null },
  { head: 'TASKS', cell: ({ tasks }) => tasks.join(', ') || null },
  { head: 'TITLE', cell: ({ title, progress }) => (progress ? `${title} (${progress})` : title) },
];
