import type { Hall } from '../board/hall.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Run } from '../domain/run.ts';
import type { Caller } from './caller.ts';

/** A worker sees its own runs; others see what their role lets them. */
export function maySeeRun(caller: Caller, run: Run): boolean {
  return caller.kind !== 'worker' || run.worker === caller.worker;
}

/** A worker sees the tasks it holds or has held. */
export async function maySeeTask(hall: Hall, caller: Caller, id: TaskId): Promise<boolean> {
  if (caller.kind !== 'worker') return true;
  const current = hall.board.runOf.get(caller.worker);
  if (current !== undefined && hall.board.runs.get(current)?.task === id) return true;
  const runs = await hall.store.runsOfTask(id);
  return runs.some((run) => run.worker === caller.worker);
}
