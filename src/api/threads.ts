import { z } from 'zod';
import { NOTE_KINDS } from '../domain/row.ts';
import {
  CHECK_RESULTS,
  PULL_REQUEST_STATES,
  REVIEW_VERDICTS,
  THREAD_STATES,
} from '../domain/thread.ts';
import { ifThenElse, isOneOf } from './conditions.ts';
import {
  Name,
  Pause,
  RunName,
  Size,
  TaskName,
  TaskState,
  ThreadName,
  Time,
  text,
  WorkerName,
} from './fields.ts';
import { page } from './pagination.ts';
import { Run } from './runs.ts';
import { Task, Why } from './tasks.ts';

export const Thread = z
  .object({
    id: ThreadName,
    project: z.string(),
    title: z.string(),
    state: z.enum(THREAD_STATES),
    labels: z.array(z.string()),
    size: Size,
    agent: z.string().nullable(),
    parent: ThreadName.nullable(),
    depends_on: z.array(ThreadName),
    /** The dependencies that are not done. */
    blocked_by: z.array(ThreadName),
    children: z.int(),
    children_done: z.int(),
    progress: z.string().nullable(),
    handed_over: Pause.nullable(),
    issue: z.object({ number: z.int(), url: z.string() }).nullable(),
    pr: z
      .object({
        number: z.int(),
        url: z.string(),
        state: z.enum(PULL_REQUEST_STATES),
      })
      .nullable(),
    /** True if it was merged without approval, by merge_policy force-at-max-rounds. */
    merge_forced: z.boolean(),
    branch: z.string().nullable(),
    /** The last known commit of its branch. */
    head: z.string().nullable(),
    checks: z
      .object({
        commit: z.string(),
        is: z.enum(CHECK_RESULTS),
        failing: z.array(z.string()),
        /** The commit its branch starts from; its failing checks are null until they have run there. */
        base: z
          .object({
            branch: z.string(),
            commit: z.string(),
            failing: z.array(z.string()).nullable(),
          })
          .nullable(),
        /** The checks that fail on the base and pass on the branch. */
        mended: z.array(z.string()),
      })
      .nullable(),
    verdict: z
      .object({
        commit: z.string(),
        is: z.enum(REVIEW_VERDICTS),
        by: z.string(),
        /** The type of the agent that gave it; null for a person. */
        type: z.string().nullable(),
      })
      .nullable(),
    /** Who asked to merge it as soon as possible. */
    merge_requested_by: z.string().nullable(),
    /** What its open pull request waits for, and how to resolve it; null if nothing. */
    merge_waiting_for: z.string().nullable(),
    review_rounds: z.int(),
    ci_retries: z.int(),
    opened_at: Time,
    /** Its tasks that have not ended. */
    tasks: z.array(TaskName),
  })
  .meta({ id: 'Thread' });

export const SubmitReview = z
  .strictObject({
    verdict: z.enum(REVIEW_VERDICTS),
    text: text(20_000).default(''),
  })
  .refine(({ verdict, text: comment }) => verdict === 'approved' || comment.trim() !== '', {
    path: ['text'],
    message: 'is missing: say what has to change',
  })
  .meta({
    id: 'SubmitReview',
    allOf: [
      ifThenElse(
        isOneOf('verdict', ['approved']),
        {},
        { properties: { text: { pattern: '\\S' } }, required: ['text'] },
      ),
    ],
  });

export const ThreadsQuery = z.strictObject({
  project: Name.optional(),
  ...page(ThreadName.optional()),
});

export const Threads = z.object({ threads: z.array(Thread), next: ThreadName.nullable() });

/** A message on the board: an agent's note, a question, a person's answer. */
export const Note = z
  .object({
    seq: z.int(),
    task: TaskName,
    run: RunName.nullable(),
    by: z.string(),
    at: Time,
    kind: z.enum(NOTE_KINDS),
    text: z.string(),
  })
  .meta({ id: 'Note' });

/** A part of another thread, with the task that represents it. */
const ChildThread = Thread.extend({
  task: z.object({ id: TaskName, state: TaskState }).nullable(),
}).meta({ id: 'ChildThread' });

/** A thread with everything that belongs to it. */
export const ThreadDetail = z
  .object({
    thread: Thread,
    tasks: z.array(Task),
    children: z.array(ChildThread),
    dependencies: z.array(Thread),
    notes: z.array(Note),
  })
  .meta({ id: 'ThreadDetail' });

/** A task with everything that belongs to it. */
export const TaskDetail = z
  .object({
    task: Task.extend({
      body: z.string(),
      /** The worker that posted it as a part of another task, in the name of `posted_by`. */
      proposed_by: z.object({ worker: WorkerName, instance: z.string() }).nullable(),
    }).meta({ id: 'TaskWithBody' }),
    thread: Thread,
    runs: z.array(Run),
    notes: z.array(Note),
    children: z.array(ChildThread),
    dependencies: z.array(Thread),
    /** Why it is not running; null once it has ended. */
    why: Why.nullable(),
    /** What a person can do about it, beyond `why`. */
    next_step: z.string().nullable(),
  })
  .meta({ id: 'TaskDetail' });

export const Graph = z
  .object({
    threads: z.array(
      z.object({
        id: ThreadName,
        project: z.string(),
        title: z.string(),
        parent: ThreadName.nullable(),
        depends_on: z.array(ThreadName),
        blocked_by: z.array(ThreadName),
        progress: z.string().nullable(),
        tasks: z.array(TaskName),
      }),
    ),
    /** True when there are more than one answer can hold. */
    more: z.boolean(),
  })
  .meta({ id: 'Graph' });

export type Thread = z.output<typeof Thread>;
export type Note = z.output<typeof Note>;
