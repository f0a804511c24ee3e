import type { Board } from './board.ts';
import { type Decision, decide, type Now } from './decision.ts';
import { startState } from './dependencies/unblock.ts';
import type { HallEvent } from './event.ts';
import type { TaskId } from './ids.ts';
import { windowAt } from './quota.ts';
import { isDeferred } from './task.ts';

const MAX_AT_ONCE = 1_000;

/**
 * The changes that time brings: due tasks, expired label waits, provider limits that have passed, a
 * new week. They are ordinary events, so a claim never reads the time.
 */
export function tick(board: Board, now: Now): Decision<number> {
  const events: HallEvent[] = [];
  const window = windowAt(now.at);
  if (window > board.hall.window) events.push({ type: 'QuotaWindowOpened', window });
  for (const { handle, parkedUntil } of board.invokers.values()) {
    if (parkedUntil === null || parkedUntil > now.at) continue;
    events.push({ type: 'InvokerUnparked', invoker: handle });
  }
  for (const [at, id] of board.due) {
    if (at > now.at || events.length >= MAX_AT_ONCE) break;
    const event = dueEvent(board, id as TaskId, now.at);
    if (event) events.push(event);
  }
  return decide(events.length, events);
}

function dueEvent(board: Board, id: TaskId, at: number): HallEvent | undefined {
  const task = board.tasks.get(id);
  if (!task) return undefined;
  if (!isDeferred(task.state)) return { type: 'LabelWaitExpired', task: id };
  return { type: 'TaskDue', task: id, state: startState(board, task.thread, at) };
}
