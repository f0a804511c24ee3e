import type { Board } from '../board.ts';
import { mergeNeedsPerson } from '../merging/policy.ts';
import { isHeld } from '../task.ts';
import { awaitsChildren, isPending, type Thread } from '../thread.ts';
import type { ItemRecord } from './item.ts';

/** How far the items of a source or of one of its files are. */
export interface Progress {
  /** Those that count: cancelled ones and those that were never posted do not. */
  readonly total: number;
  readonly completed: number;
  readonly toMerge: number;
  readonly inReview: number;
  readonly running: number;
  readonly failed: number;
  readonly waiting: number;
}

const NOTHING: Progress = {
  total: 0,
  completed: 0,
  toMerge: 0,
  inReview: 0,
  running: 0,
  failed: 0,
  waiting: 0,
};

export function progressOf(board: Board, items: Iterable<ItemRecord>): Progress {
  const counts = { ...NOTHING };
  for (const item of items) {
    const state = stateOf(board, item);
    if (state === null) continue;
    counts[state] += 1;
    counts.total += 1;
  }
  return counts;
}

function stateOf(board: Board, item: ItemRecord): Exclude<keyof Progress, 'total'> | null {
  const thread = item.thread === null ? undefined : board.threads.get(item.thread);
  if (thread) return stateOfOpen(board, thread);
  if (item.ended === 'done' || (item.isDone && !item.gone)) return 'completed';
  if (item.ended === 'ended' && !item.gone) return 'failed';
  return null;
}

function stateOfOpen(board: Board, thread: Thread): Exclude<keyof Progress, 'total'> {
  const isRunning = thread.tasks.some((id) => {
    const task = board.tasks.get(id);
    return task !== undefined && isHeld(task.state);
  });
  if (isRunning || awaitsChildren(thread)) return 'running';
  if (mergeNeedsPerson(board, thread)) return 'toMerge';
  return isPending(thread.forge.pr) ? 'inReview' : 'waiting';
}

/** "3 of 10 completed, 4 wait for you to merge, 2 running, 1 failed". */
export function progressText(progress: Progress): string {
  const { total, completed, toMerge, inReview, running, failed, waiting } = progress;
  const parts: readonly (readonly [number, string])[] = [
    [toMerge, toMerge === 1 ? 'waits for you to merge' : 'wait for you to merge'],
    [inReview, 'in review'],
    [running, 'running'],
    [failed, 'failed'],
    [waiting, 'waiting'],
  ];
  const rest = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [`${completed} of ${total} completed`, ...rest].join(', ');
}

/** The items of each file of a source, and all of them under null. */
export function itemsByFile({
  items,
}: Pick<Board, 'items'>): ReadonlyMap<string, ReadonlyMap<string | null, readonly ItemRecord[]>> {
  const bySource = new Map<string, Map<string | null, ItemRecord[]>>();
  for (const item of items.values()) {
    const files = bySource.get(item.source) ?? new Map<string | null, ItemRecord[]>();
    bySource.set(item.source, files);
    add(files, null, item);
    if (item.file !== null) add(files, item.file, item);
  }
  return bySource;
}

function add(files: Map<string | null, ItemRecord[]>, file: string | null, item: ItemRecord): void {
  const list = files.get(file);
  if (list) list.push(item);
  else files.set(file, [item]);
}
