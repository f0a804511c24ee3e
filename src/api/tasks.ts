import { z } from 'zod';
import { REJECTION_CODES, TASK_STATES } from '../domain/task.ts';
import { MAX_TASKS_PER_POST } from './batch-limit.ts';
import {
  Body,
  characters,
  Labels,
  line,
  Name,
  RunName,
  Size,
  SizeInput,
  TaskName,
  TaskState,
  ThreadName,
  Time,
  Title,
} from './fields.ts';
import { page } from './pagination.ts';

/** Another task in the same request, by a name that cannot be mistaken for an id. */
const Ref = line(100).regex(
  /^(?!(t|th|r|w)-\d+$)[\w.:-]+$/,
  'must be letters, digits, ".", ":", "_" or "-", and not look like an id',
);

const DependencyInput = line(100).regex(
  /^[\w.:-]+$/,
  'must be a task (t-12), a thread (th-11) or the ref of another task in this request',
);

const Dependencies = z.array(DependencyInput).max(100);

const Skill = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by "-", such as fix-ci')
  .max(64);

export const CreateTask = z
  .strictObject({
    project: Name,
    title: Title,
    body: Body.default(''),
    skill: Skill.default('implement'),
    type: Name.nullable().default(null),
    agent: Name.nullable().default(null),
    labels: Labels.default([]),
    size: SizeInput.nullable().default(null),
    depends_on: Dependencies.default([]),
    ref: Ref.nullable().default(null),
    parent: TaskName.nullable().default(null),
  })
  .meta({ id: 'CreateTask' });

/** One task, or several posted together: all or none. */
export const CreateTasks = z.union([
  CreateTask,
  z.array(CreateTask).min(1).max(MAX_TASKS_PER_POST),
]);

export const UpdateTask = z
  .strictObject({
    title: Title,
    body: Body,
    labels: Labels,
    size: SizeInput,
    type: Name,
    agent: Name.nullable(),
    depends_on: Dependencies,
  })
  .partial()
  .meta({ id: 'UpdateTask' });

export const ProposedChild = z
  .strictObject({
    title: Title,
    body: Body.default(''),
    labels: Labels.default([]),
    depends_on: Dependencies.default([]),
    ref: Ref.nullable().default(null),
    skill: Skill.default('implement'),
  })
  .meta({ id: 'ProposedChild' });

export const Rejection = z
  .object({
    reason_code: z.enum(REJECTION_CODES),
    message: z.string(),
    missing: z.array(z.string()),
    questions: z.array(z.string()),
    suggested_size: Size.nullable(),
  })
  .meta({ id: 'Rejection' });

/** A task with the facts of its state; facts that do not apply are left out. */
export const Task = z
  .object({
    id: TaskName,
    thread: ThreadName,
    project: z.string(),
    title: z.string(),
    skill: z.string(),
    type: z.string(),
    /** The only instance that may take it, if it names one. */
    instance: z.string().nullable(),
    agent: z.string(),
    size: Size,
    labels: z.array(z.string()),
    state: TaskState,
    since: Time,
    posted_by: z.string(),
    posted_at: Time,
    crashes: z.int(),
    reopens: TaskName.nullable(),
    /** "3 of 10 completed" if it was split. */
    progress: z.string().nullable(),
    until: Time.optional(),
    because: z.string().optional(),
    run: RunName.optional(),
    question: z.string().optional(),
    outcome: z.string().optional(),
    summary: z.string().optional(),
    rejection: Rejection.optional(),
    cancelled_by: z.string().optional(),
  })
  .meta({ id: 'Task' });

export const CreatedTask = z
  .object({ id: TaskName, thread: ThreadName, state: TaskState })
  .meta({ id: 'CreatedTask' });

export const CreatedTasks = z
  .object({
    tasks: z.array(CreatedTask),
    /** What was accepted but may be a mistake. */
    warnings: z.array(z.object({ path: z.string(), message: z.string() })),
  })
  .meta({ id: 'CreatedTasks' });

export const ChangedTask = z.object({ id: TaskName, state: TaskState }).meta({ id: 'ChangedTask' });

const Reason = z
  .object({
    /** The claim rule that is not met. */
    rule: z.string(),
    because: z.string(),
    /** What would unblock it. */
    frees: z.string(),
    until: Time.nullable(),
  })
  .meta({ id: 'Reason' });

export const Why = z
  .object({
    state: TaskState,
    since: Time,
    claimable: z.boolean(),
    reasons: z.array(Reason),
    /** How many tasks the same kind of worker would take first. */
    ahead: z.int(),
    takers: z.array(z.object({ instance: z.string(), reasons: z.array(Reason) })),
  })
  .meta({ id: 'Why' });

const anyState = `(${TASK_STATES.join('|')})`;
const states = z
  .string()
  .max(500)
  .meta({ pattern: `^${anyState}(,${anyState})*$` })
  .transform((list) => list.split(','))
  .pipe(z.array(TaskState));

/** Any characters: what is neither a letter nor a digit separates words. */
const SearchText = characters(200)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .meta({ minLength: 1, allOf: [{ pattern: '\\S' }] });

export const TasksQuery = z.strictObject({
  project: Name.optional(),
  state: states.optional(),
  type: Name.optional(),
  text: SearchText.optional(),
  branch: line(500).optional(),
  link: line(2_000).optional(),
  ...page(TaskName.optional()),
});

export const Tasks = z.object({
  tasks: z.array(Task),
  next: TaskName.nullable(),
  /** How far a search by text, branch or link saw; null for a list without one. */
  search: z
    .object({
      /** Changes after this event may be missing in the list. */
      indexed_to: z.int(),
      /** The last event of the log. */
      log_end: z.int(),
    })
    .nullable(),
});

export type Task = z.output<typeof Task>;
export type TasksQuery = z.output<typeof TasksQuery>;
export type Why = z.output<typeof Why>;
