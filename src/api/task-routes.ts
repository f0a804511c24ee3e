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
const moved = { 200: { description: 'What it is now', body: ChangedTask } };

export const TASK_ROUTES = {
  listTasks: {
    ...ENDPOINTS.listTasks,
    tag,
    summary: 'Tasks, newest first; `state` takes several, joined by commas',
    policy: 'viewer',
    query: TasksQuery,
    answers: { 200: { description: 'A page of tasks', body: Tasks } },
  },
  postTasks: {
    ...ENDPOINTS.postTasks,
    tag,
    summary: 'Post one task, or several that belong together: all of them or none',
    policy: 'operator',
    body: CreateTasks,
    mostBytes: 4 * 1024 * 1024,
    example: [
      { project: 'shop', title: 'Show prices with tax', ref: 'tax', labels: ['frontend'] },
      { project: 'shop', title: 'Explain the tax on the bill', depends_on: ['tax'], size: 's' },
    ],
    answers: {
      201: {
        description: 'They are on the board',
        body: CreatedTasks,
        example: { tasks: [{ id: 't-12', thread: 'th-12', state: 'available' }], warnings: [] },
      },
    },
  },
  getTask: {
    ...ENDPOINTS.getTask,
    tag,
    summary: 'One task with its thread, runs, notes, children, and why it waits',
    policy: 'viewer_or_worker',
    params,
    answers: { 200: { description: 'The task', body: TaskDetail } },
  },
  editTask: {
    ...ENDPOINTS.editTask,
    tag,
    summary: 'Change what a waiting task says or asks for',
    policy: 'operator',
    params,
    body: UpdateTask,
    example: { size: 'L', labels: ['security'] },
    answers: moved,
  },
  whyTask: {
    ...ENDPOINTS.whyTask,
    tag,
    summary: 'Why a task is not running, rule by rule, and what would free it',
    policy: 'viewer',
    params,
    answers: { 200: { description: 'Every rule that is not met', body: Why } },
  },
  getTaskLog: {
    ...ENDPOINTS.getTaskLog,
    tag,
    summary: 'The transcript of the present or last run of a task',
    policy: 'viewer_or_worker',
    params,
    query: TranscriptQuery,
    answers: { 200: { description: 'A page of the transcript', body: Transcript } },
  },
  cancelTask: {
    ...ENDPOINTS.cancelTask,
    tag,
    summary: 'End a task for good; a worker that has it is told to stop',
    policy: 'operator',
    params,
    body: ReasonBody,
    answers: moved,
  },
  retryTask: {
    ...ENDPOINTS.retryTask,
    tag,
    summary: 'Let a deferred task start now',
    policy: 'operator',
    params,
    answers: moved,
  },
  reopenTask: {
    ...ENDPOINTS.reopenTask,
    tag,
    summary: 'Make a task of one that has ended, linked to it',
    policy: 'operator',
    params,
    answers: { 201: { description: 'The task that goes on', body: CreatedTask } },
  },
  approveTask: {
    ...ENDPOINTS.approveTask,
    tag,
    summary: 'Let a proposed task start, or those that a decomposition proposed',
    policy: 'operator',
    params,
    body: z.strictObject({ only: z.array(TaskName).min(1).max(100).optional() }),
    example: { only: ['t-31', 't-33'] },
    answers: {
      200: {
        description: 'What was approved',
        body: z.object({ approved: z.array(TaskName) }),
      },
    },
  },
  releaseTask: {
    ...ENDPOINTS.releaseTask,
    tag,
    summary: 'Take a task back from its worker; another may take it up',
    policy: 'operator',
    params,
    body: ReasonBody,
    answers: moved,
  },
  answerTask: {
    ...ENDPOINTS.answerTask,
    tag,
    summary: "Answer an agent's question; the task can be taken up again",
    policy: 'operator',
    params,
    body: z.strictObject({ text: line(20_000) }),
    example: { text: 'Round to the cent.' },
    answers: moved,
  },
} as const satisfies Record<string, Route>;
