import type { z } from 'zod';
import type { TASK_ROUTES } from '../../api/task-routes.ts';
import type { CreateTask, UpdateTask } from '../../api/tasks.ts';
import type { Hall } from '../../board/hall.ts';
import { parseDependency } from '../../domain/dependencies/look-up.ts';
import { type Edit, edit } from '../../domain/editing.ts';
import { type Posted, type Posting, post, SINGLE_TASK, TASK_LIST } from '../../domain/posting.ts';
import { refuse } from '../../domain/refusal.ts';
import { checkFilter } from '../../queries/check-filters.ts';
import { keysFor } from '../../queries/closed-work-keys.ts';
import { taskDetail, whyTaskEnded } from '../../queries/task-detail.ts';
import { listTasks } from '../../queries/task-list.ts';
import { transcriptOf } from '../../queries/transcript.ts';
import { unknownSkills } from '../../queries/unknown-skills.ts';
import { taskIn, threadName } from '../../queries/views/ids-and-times.ts';
import { type WhyNeeds, whyNotRunning } from '../../queries/why-not-running.ts';
import { changeBoard } from '../board-access.ts';
import type { Operations } from '../request-context.ts';
import { invalid } from '../validate-request.ts';
import { maySeeTask } from '../visibility.ts';
import { stateNow, taskActionRoutes } from './task-actions.ts';

export function taskRoutes(needs: WhyNeeds) {
  const { hall } = needs;
  return {
    ...taskActionRoutes(hall),
    ...postingRoute(hall),

    listTasks: async ({ query }) => {
      const body = await listTasks(hall, query);
      const isEmpty = body.tasks.length === 0 && query.after === undefined;
      const mistake = isEmpty && invalid(checkFilter(hall.board, query));
      return mistake || { status: 200, body };
    },

    getTask: async ({ params, caller }) => {
      const id = taskIn(params.id);
      const detail = (await maySeeTask(hall, caller, id)) ? await taskDetail(needs, id) : undefined;
      return detail ? { status: 200, body: detail } : unknownTask(params.id);
    },

    editTask: async (context) => {
      const task = taskIn(context.params.id);
      const change = editFrom(context.body);
      const recall = await keysFor(hall, change.dependsOn ?? []);
      return changeBoard(hall, context, {
        keys: { ...recall, tasks: [...(recall.tasks ?? []), task] },
        decide: (board, now, recalled) => edit(board, recalled, { task, change }, now),
        reply: (id) => ({ status: 200, body: stateNow(hall, id, 'cancelled') }),
      });
    },

    whyTask: async ({ params }) => {
      const id = taskIn(params.id);
      const reasons = (await whyNotRunning(needs, id)) ?? (await whyTaskEnded(hall, id));
      return reasons ? { status: 200, body: reasons } : unknownTask(params.id);
    },

    getTaskLog: async ({ params, query, caller }) => {
      const id = taskIn(params.id);
      if (!(await maySeeTask(hall, caller, id))) return unknownTask(params.id);
      const runs = await hall.store.runsOfTask(id);
      const last = runs.toSorted((a, b) => b.id - a.id)[0];
      if (last) return { status: 200, body: await transcriptOf(hall.store, last.id, query) };
      const [record] = await hall.store.tasksById([id]);
      return record ? { status: 200, body: { entries: [], next: null } } : unknownTask(params.id);
    },
  } satisfies Pick<Operations, keyof typeof TASK_ROUTES>;
}

function postingRoute(hall: Hall) {
  const postedView = ({ task, thread }: Posted) => ({
    ...stateNow(hall, task, 'available'),
    thread: threadName(thread),
  });

  return {
    postTasks: async (context) => {
      const placing = Array.isArray(context.body) ? TASK_LIST : SINGLE_TASK;
      const postings = [context.body].flat().map(postingFrom);
      const parents = postings.flatMap(({ parent }) => (parent === null ? [] : [parent]));
      const dependencies = postings.flatMap(({ dependsOn }) => dependsOn);
      return changeBoard(hall, context, {
        keys: await keysFor(hall, dependencies, parents),
        decide: (board, now, recalled) => post(board, recalled, postings, now, placing),
        reply: (posted) => ({
          status: 201,
          body: { tasks: posted.map(postedView), warnings: unknownSkills(postings, placing) },
        }),
      });
    },
  } satisfies Pick<Operations, 'postTasks'>;
}

function unknownTask(name: string) {
  return refuse('unknown_task', `there is no task ${name}`);
}

function postingFrom(input: z.output<typeof CreateTask>): Posting {
  const { depends_on, parent, ...rest } = input;
  return {
    ...rest,
    dependsOn: depends_on.map(parseDependency),
    parent: parent === null ? null : taskIn(parent),
  };
}

function editFrom(input: z.output<typeof UpdateTask>): Edit {
  const { title, body, labels, size, type, agent, depends_on } = input;
  return {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    ...(labels !== undefined && { labels }),
    ...(size !== undefined && { size }),
    ...(type !== undefined && { type }),
    ...(agent !== undefined && { agent }),
    ...(depends_on !== undefined && { dependsOn: depends_on.map(parseDependency) }),
  };
}
