import type { Board } from '../board.ts';
import { isAwaitingInput, isDeferred } from '../task.ts';
import { isOpen, type Thread } from '../thread.ts';

/** The hall's labels that tell the state of a thread on its issue. Labels of agents are set by people. */
export function stateLabels(board: Board, thread: Thread): readonly string[] {
  if (!isOpen(thread)) return [];
  const states = thread.tasks.flatMap((id) => board.tasks.get(id)?.state ?? []);
  if (states.some(isAwaitingInput)) return ['hall:awaiting-input'];
  if (states.some((state) => isDeferred(state))) return ['hall:invoker-queued'];
  const isWaiting =
    states.length > 0 && states.every(({ is }) => is === 'available' || is === 'blocked');
  return isWaiting ? ['hall:queued'] : [];
}
