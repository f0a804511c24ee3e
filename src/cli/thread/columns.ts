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
function waitsFor({ waits_for, handed_over, merge_waits }: Thread): string | null {
  if (waits_for.length > 0) return waits_for.join(', ');
  if (handed_over) return 'a person';
  return /^wait(?:s|ing) for ([^:,]+)/.exec(merge_waits ?? '')?.[1] ?? null;
}
