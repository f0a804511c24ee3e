import { z } from 'zod';
import { Brief, MAX_HISTORY, PromptPreview, StoreSession } from './briefs.ts';
import { ENDPOINTS } from './endpoints.ts';
import { RunName, TaskName } from './fields.ts';
import type { Route } from './route.ts';

const tag = 'briefs';
const run = z.strictObject({ id: RunName });

export const BRIEF_ROUTES = {
  getBrief: {
    ...ENDPOINTS.getBrief,
    tag,
    summary: 'What the agent that does the task is told, where it works and as whom',
    policy: 'worker',
    params: run,
    answers: { 200: { description: 'The brief', body: Brief } },
  },
  keepSession: {
    ...ENDPOINTS.keepSession,
    tag,
    summary: 'Keep the conversation, so that the next run in the thread goes on with it',
    policy: 'worker',
    params: run,
    body: StoreSession,
    example: { fence: 40, id: '0b0f5a9e-6f6d-4c64-8a3e-0d3e1f3a8f52', history: '' },
    mostBytes: 4 * MAX_HISTORY,
    answers: { 204: { description: 'It is kept' } },
  },
  getTaskPrompt: {
    ...ENDPOINTS.getTaskPrompt,
    tag,
    summary: 'What an agent that takes the task is told, but for what its repository says',
    policy: 'viewer',
    params: z.strictObject({ id: TaskName }),
    answers: { 200: { description: 'The prompt', body: PromptPreview } },
  },
} as const satisfies Record<string, Route>;
