import type { Hall } from '../../board/hall.ts';
import type { Board } from '../../domain/board.ts';
import type { ClosedWork } from '../../domain/closed-work.ts';
import type { Decision, Now } from '../../domain/decision.ts';
import type { TaskId } from '../../domain/ids.ts';
import { answer, approve, cancel, release, retry } from '../../domain/operator-actions.ts';
import { refuse } from '../../domain/refusal.ts';
import { reopen } from '../../domain/reopening.ts';
import type { TaskState } from '../../domain/task.ts';
import { taskIn, taskName, threadName } from '../../queries/views/ids-and-times.ts';
import { changeBoard } from '../board-access.ts';
import type { Operations, RequestContext } from '../request-context.ts';

type TaskAction =
  | 'cancelTask'
  | 'retryTask'
  | 'reopenTask'
  | 'approveTask'
  | 'releaseTask'
  | 'answerTask';
type Move = Exclude<TaskAction, 'reopenTask' | 'approveTask'>;

/** An operator's actions on one task. */
export function taskActionRoutes(hall: Hall) {
  function move(
    context: Pick<RequestContext<Move>, 'params' | 'meta' | 'idempotencyKey'>,
    step: (board: Board, recalled: ClosedWork, task: TaskId, now: Now) => Decision<TaskId>,
    otherwise: TaskState['is'],
  ) {
    const task = taskIn(context.params.id);
    return changeBoard(hall, context, {
      keys: { tasks: [task] },
      decide: (board, now, recalled) => step(board, recalled, task, now),
      reply: (id) => ({ status: 200, body: stateNow(hall, id, otherwise) }),
    });
  }

  return {
    cancelTask: (context) => {
      const because = context.body.because ?? 'cancelled by an operator';
      return move(context, (b, r, task, now) => cancel(b, r, { task, because }, now), 'cancelled');
    },

    retryTask: (context) => move(context, retry, 'available'),

    releaseTask: (context) => {
      const because = context.body.because ?? 'released by an operator';
      return move(context, (b, r, task, now) => release(b, r, { task, because }, now), 'available');
    },

    answerTask: (context) => {
      const { text } = context.body;
      return move(context, (b, r, task, now) => answer(b, r, { task, text }, now), 'available');
    },

    approveTask: (context) => {
      const task = taskIn(context.params.id);
      const only = context.body.only?.map(taskIn) ?? null;
      return changeBoard(hall, context, {
        keys: { tasks: [task] },
        decide: (board, now, recalled) => approve(board, recalled, { task, only }, now),
        reply: (approved) => ({ status: 200, body: { approved: approved.map(taskName) } }),
      });
    },

    reopenTask: async (context) => {
      const task = taskIn(context.params.id);
      const [record] = await hall.store.tasksById([task]);
      if (!record) return refuse('unknown_task', `there is no task ${context.params.id}`);
      const { title, body, task: before } = record;
      const [thread] = await hall.store.threadsById([before.thread]);
      const threads = [before.thread, ...(thread?.thread.dependsOn ?? [])];
      return changeBoard(hall, context, {
        keys: { tasks: [task], threads },
        decide: (board, now, recalled) => reopen(board, recalled, { task, title, body }, now),
        reply: (id) => ({
          status: 201,
          body: { ...stateNow(hall, id, 'available'), thread: threadName(before.thread) },
        }),
      });
    },
  } satisfies Pick<Operations, TaskAction>;
}

/** The state of a task after a change; a task no longer in memory ended as `otherwise`. */
export function stateNow({ board }: Hall, id: TaskId, otherwise: TaskState['is']) {
  return { id: taskName(id), state: board.tasks.get(id)?.state.is ?? otherwise };
}
