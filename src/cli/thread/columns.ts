import type { OperationResult } from '../../api/operation.ts';
import type { Column } from '../table.ts';

export type Thread = OperationResult<'listThreads'>['threads'][number];

export const THREAD_COLUMNS: readonly Column<Thread>[] = [
  { head: 'THREAD', cell: ({ id }) => id },
  { head: 'STATE', cell: ({ state, handed_over }) => (handed_over ? 'handed over' : state) },
  { head: 'PROJECT', cell: ({ project }) => project },
  { head: 'SIZE', cell: ({ size }) => size },
  { head: 'WAITS FOR', cell: waitsFor },
  { head: 'TASKS', cell: ({ tasks }) => tasks.join(', ') || null },
  { head: 'TITLE', cell: ({ title, progress }) => (progress ? `${title} (${progress})` : title) },
];

/** Other threads, a person, or what its pull request waits for, in short; thread show has the full text. */
function waitsFor({ blocked_by, handed_over, merge_waiting_for }: Thread): string | null {
  if (blocked_by.length > 0) return blocked_by.join(', ');
  if (handed_over) return 'a person';
  return /^wait(?:s|ing) for ([^:,]+)/.exec(merge_waiting_for ?? '')?.[1] ?? null;
}
