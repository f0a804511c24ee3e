import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { line, ReasonBody, TaskName } from './fields.ts';
import type { Route } from './route.ts';
import { Transcript, TranscriptQuery } from './runs.ts';
import {
  ChangedTask,
  CreatedTask,
  CreatedTasks,
  CreateTasks,
  Tasks,
  TasksQuery,
  UpdateTask,
  Why,
} from './tasks.ts';
import { TaskDetail } from './threads.ts';

const tag = 'tasks';
const params = z.strictObject({ id: TaskName });
const moved = { 200: { description: 'The task and its state', body: ChangedTask } };

export const TASK_ROUTES = {
  listTasks: {
    ...ENDPOINTS.listTasks,
    tag,
    summary:
      'List tasks, newest first; `state` accepts several, separated by commas; `text` are words of title, body or branch',
    policy: 'viewer',
    query: TasksQuery,
    answers: { 200: { description: 'A page of tasks', body: Tasks } },
  },
  postTasks: {
    ...ENDPOINTS.postTasks,
    tag,
    summary: 'Post one task, or several together: all of them or none',
    policy: 'operator',
    body: CreateTasks,
    mostBytes: 4 * 1024 * 1024,
    example: [
      { project: 'shop', title: 'Show prices with tax', ref: 'tax', labels: ['frontend'] },
      { project: 'shop', title: 'Explain the tax on the bill', depends_on: ['tax'], size: 's' },
    ],
    answers: {
      201: {
        description: 'The posted tasks',
        body: CreatedTasks,
        example: { tasks: [{ id: 't-12', thread: 'th-12', state: 'available' }], warnings: [] },
      },
    },
  },
  getTask: {
    ...ENDPOINTS.getTask,
    tag,
    summary: 'Get a task with its thread, runs, notes and children, and why it is waiting',
    policy: 'viewer_or_worker',
    params,
    answers: { 200: { description: 'The task', body: TaskDetail } },
  },
  editTask: {
    ...ENDPOINTS.editTask,
    tag,
    summary: 'Edit a task that no worker holds',
    policy: 'operator',
    params,
    body: UpdateTask,
    example: { size: 'L', labels: ['security'] },
    answers: moved,
  },
  whyTask: {
    ...ENDPOINTS.whyTask,
    tag,
    summary:
      'Explain why a task is not running: each unmet rule and what would unblock it, or why it ended',
    policy: 'viewer',
    params,
    answers: { 200: { description: 'Every unmet rule', body: Why } },
  },
  getTaskLog: {
    ...ENDPOINTS.getTaskLog,
    tag,
    summary: 'Get the transcript of the current or last run of a task',
    policy: 'viewer_or_worker',
    params,
    query: TranscriptQuery,
    answers: { 200: { description: 'A page of the transcript', body: Transcript } },
  },
  cancelTask: {
    ...ENDPOINTS.cancelTask,
    tag,
    summary: 'Cancel a task for good; a worker that holds it is ordered to stop',
    policy: 'operator',
    params,
    body: ReasonBody,
    answers: moved,
  },
  retryTask: {
    ...ENDPOINTS.retryTask,
    tag,
    summary: 'Make a deferred task available now',
    policy: 'operator',
    params,
    answers: moved,
  },
  reopenTask: {
    ...ENDPOINTS.reopenTask,
    tag,
    summary: 'Reopen an ended task as a new task that is linked to it',
    policy: 'operator',
    params,
    answers: { 201: { description: 'The new task', body: CreatedTask } },
  },
  approveTask: {
    ...ENDPOINTS.approveTask,
    tag,
    summary: 'Approve a proposed task, or the tasks that a decomposition proposed',
    policy: 'operator',
    params,
    body: z.strictObject({ only: z.array(TaskName).min(1).max(100).optional() }),
    example: { only: ['t-31', 't-33'] },
    answers: {
      200: {
        description: 'The approved tasks',
        body: z.object({ approved: z.array(TaskName) }),
      },
    },
  },
  releaseTask: {
    ...ENDPOINTS.releaseTask,
    tag,
    summary: 'Take a task back from its worker, so that another can claim it',
    policy: 'operator',
    params,
    body: ReasonBody,
    answers: moved,
  },
  answerTask: {
    ...ENDPOINTS.answerTask,
    tag,
    summary: "Answer an agent's question; the task becomes available again",
    policy: 'operator',
    params,
    body: z.strictObject({ text: line(20_000) }),
    example: { text: 'Round to the cent.' },
    answers: moved,
  },
} as const satisfies Record<string, Route>;
