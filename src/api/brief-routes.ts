import { z } from 'zod';
import {
  Brief,
  GetRunSecrets,
  MAX_HISTORY,
  PromptPreview,
  RunSecrets,
  StoreSession,
} from './briefs.ts';
import { ENDPOINTS } from './endpoints.ts';
import { RunName, TaskName } from './fields.ts';
import type { Route } from './route.ts';

const tag = 'briefs';
const run = z.strictObject({ id: RunName });

export const BRIEF_ROUTES = {
  getBrief: {
    ...ENDPOINTS.getBrief,
    tag,
    summary: 'Get what a worker needs for a run: prompt, repository, agent and cell',
    policy: 'worker',
    params: run,
    answers: { 200: { description: 'The brief', body: Brief } },
  },
  getRunSecrets: {
    ...ENDPOINTS.getRunSecrets,
    tag,
    summary: "Get the values of the type's secret_env for a run; they are stored nowhere",
    policy: 'worker',
    params: run,
    body: GetRunSecrets,
    example: { fence: 40 },
    answers: { 200: { description: 'The variables', body: RunSecrets } },
  },
  saveSession: {
    ...ENDPOINTS.saveSession,
    tag,
    summary: "Store the agent's session, for the next run in the thread to resume",
    policy: 'worker',
    params: run,
    body: StoreSession,
    example: { fence: 40, id: '0b0f5a9e-6f6d-4c64-8a3e-0d3e1f3a8f52', history: '' },
    mostBytes: 4 * MAX_HISTORY,
    answers: { 204: { description: 'The session was stored' } },
  },
  getTaskPrompt: {
    ...ENDPOINTS.getTaskPrompt,
    tag,
    summary: 'Preview the prompt for a task, without the parts that come from its repository',
    policy: 'viewer',
    params: z.strictObject({ id: TaskName }),
    answers: { 200: { description: 'The prompt', body: PromptPreview } },
  },
} as const satisfies Record<string, Route>;
