import type { z } from 'zod';
import type { TASK_ROUTES } from '../../api/task-routes.ts';
import type { TaskAsked, TaskEdit } from '../../api/tasks.ts';
import type { Hall } from '../../board/hall.ts';
import { dependencyIn } from '../../domain/dependencies/look-up.ts';
import { type Edit, edit } from '../../domain/editing.ts';
import { ALONE, IN_LIST, type Posted, type Posting, post } from '../../domain/posting.ts';
import { refuse } from '../../domain/refusal.ts';
import { strangeFilter } from '../../queries/filters.ts';
import { keysFor } from '../../queries/recall-keys.ts';
import { strangeSkills } from '../../queries/strange-skills.ts';
import { listTasks } from '../../queries/task-list.ts';
import { transcriptOf } from '../../queries/transcript.ts';
import { taskIn, threadName } from '../../queries/views/plain.ts';
import { wholeTask, whyEnded } from '../../queries/whole-task.ts';
import { type Asked, whyNot } from '../../queries/why-not.ts';
import type { Implementations } from '../ask.ts';
import { change } from '../changing.ts';
import { invalid } from '../input.ts';
import { maySeeTask } from '../own.ts';
import { stateNow, steeringRoutes } from './steering.ts';

export function taskRoutes(asked: Asked) {
  const { hall } = asked;
  return {
    ...steeringRoutes(hall),
    ...postingRoute(hall),

    listTasks: async ({ query }) => {
      const body = await listTasks(hall, query);
      const isEmpty = body.tasks.length === 0 && query.after === undefined;
      const strange = isEmpty && invalid(strangeFilter(hall.board, query));
      return strange || { status: 200, body };
    },

    getTask: async ({ params, caller }) => {
      const id = taskIn(params.id);
      const whole = (await maySeeTask(hall, caller, id)) ? await wholeTask(asked, id) : undefined;
      return whole ? { status: 200, body: whole } : unknownTask(params.id);
    },

    editTask: async (ask) => {
      const task = taskIn(ask.params.id);
      const asked = editFrom(ask.body);
      const recall = await keysFor(hall, asked.dependsOn ?? []);
      return change(hall, ask, {
        keys: { ...recall, tasks: [...(recall.tasks ?? []), task] },
        decide: (board, now, recalled) => edit(board, recalled, { task, change: asked }, now),
        reply: (id) => ({ status: 200, body: stateNow(hall, id, 'cancelled') }),
      });
    },

    whyTask: async ({ params }) => {
      const id = taskIn(params.id);
      const reasons = await whyNot(asked, id);
      if (reasons) return { status: 200, body: reasons };
      return (await whyEnded(hall, id)) ?? unknownTask(params.id);
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
  } satisfies Pick<Implementations, keyof typeof TASK_ROUTES>;
}

function postingRoute(hall: Hall) {
  const postedView = ({ task, thread }: Posted) => ({
    ...stateNow(hall, task, 'available'),
    thread: threadName(thread),
  });

  return {
    postTasks: async (ask) => {
      const placing = Array.isArray(ask.body) ? IN_LIST : ALONE;
      const postings = [ask.body].flat().map(postingFrom);
      const parents = postings.flatMap(({ parent }) => (parent === null ? [] : [parent]));
      const dependencies = postings.flatMap(({ dependsOn }) => dependsOn);
      return change(hall, ask, {
        keys: await keysFor(hall, dependencies, parents),
        decide: (board, now, recalled) => post(board, recalled, postings, now, placing),
        reply: (posted) => ({
          status: 201,
          body: { tasks: posted.map(postedView), warnings: strangeSkills(postings, placing) },
        }),
      });
    },
  } satisfies Pick<Implementations, 'postTasks'>;
}

function unknownTask(name: string) {
  return refuse('unknown_task', `there is no task ${name}`);
}

function postingFrom(asked: z.output<typeof TaskAsked>): Posting {
  const { depends_on, parent, ...rest } = asked;
  return {
    ...rest,
    dependsOn: depends_on.map(dependencyIn),
    parent: parent === null ? null : taskIn(parent),
  };
}

function editFrom(asked: z.output<typeof TaskEdit>): Edit {
  const { title, body, labels, size, type, agent, depends_on } = asked;
  return {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    ...(labels !== undefined && { labels }),
    ...(size !== undefined && { size }),
    ...(type !== undefined && { type }),
    ...(agent !== undefined && { agent }),
    ...(depends_on !== undefined && { dependsOn: depends_on.map(dependencyIn) }),
  };
}
