import type { Why as WhyOut } from '../api/tasks.ts';
import type { Hall } from '../board/hall.ts';
import { readBoard } from '../board/read-board.ts';
import { recruiterStatusFor } from '../board/recruiter-status.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import { why } from '../domain/why.ts';
import type { Workforce } from '../domain/why-unclaimed.ts';
import type { Machine } from './health.ts';
import { taskOfThread } from './thread-task.ts';
import { taskName, threadName } from './views/ids-and-times.ts';
import { whyView } from './views/task.ts';
import { waitingWorkers } from './waiting-workers.ts';

/** How many threads a task waits for are named with their tasks; longer lists go unread. */
const MAX_NAMED = 10;

export interface WhyNeeds {
  readonly hall: Hall;
  readonly machine: () => Machine;
}

/** Why an open task is not running; undefined when it is not open. */
export async function whyNotRunning(
  { hall, machine }: WhyNeeds,
  id: TaskId,
): Promise<WhyOut | undefined> {
  const result = await readBoard(hall, (board) => {
    const task = board.tasks.get(id);
    const thread = task && board.threads.get(task.thread);
    if (!task || !thread) return undefined;
    const { recruiting } = machine();
    const workforce: Workforce = {
      waiting: waitingWorkers(hall),
      recruiting: (instance) =>
        recruiterStatusFor(hall, recruiting, { instance, project: task.project }),
    };
    return { view: whyView(why(board, task, thread, workforce)), waits: thread.blockedBy };
  });
  if (!result || result.waits.length === 0) return result?.view;
  const names = await namesOf(hall, result.waits);
  const reasons = result.view.reasons.map((reason) =>
    reason.rule === 'waits_for_dependency'
      ? { ...reason, because: `it waits for ${names}: ${reason.because}` }
      : reason,
  );
  return { ...result.view, reasons };
}

/** Only the store has titles and ended tasks. */
async function namesOf({ store }: Hall, waits: readonly ThreadId[]): Promise<string> {
  const named = waits.slice(0, MAX_NAMED).map(async (id) => {
    const record = await taskOfThread(store, id);
    const thread = threadName(id);
    return record ? `${taskName(record.task.id)} "${record.title}" (${thread})` : thread;
  });
  const more = waits.length - named.length;
  return [...(await Promise.all(named)), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
