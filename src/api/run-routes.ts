import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { RunName, TaskName, TaskState } from './fields.ts';
import type { Route } from './route.ts';
import {
  AddNote,
  AppendLog,
  AskQuestion,
  Fenced,
  LogAppended,
  RecordUsage,
  ReportResult,
  ReportRun,
  Run,
  Transcript,
  TranscriptQuery,
} from './runs.ts';

const tag = 'runs';
const params = z.strictObject({ id: RunName });
const run = { 200: { description: 'The run as it is now', body: Run } };

export const RUN_ROUTES = {
  getRun: {
    ...ENDPOINTS.getRun,
    tag,
    summary: 'One run',
    policy: 'viewer_or_worker',
    params,
    answers: { 200: { description: 'The run', body: Run } },
  },
  getTranscript: {
    ...ENDPOINTS.getTranscript,
    tag,
    summary: 'What a run said, piece by piece',
    policy: 'viewer_or_worker',
    params,
    query: TranscriptQuery,
    answers: { 200: { description: 'A page of the transcript', body: Transcript } },
  },
  startRun: {
    ...ENDPOINTS.startRun,
    tag,
    summary: 'The worker begins; from now on its time counts',
    policy: 'worker',
    params,
    body: Fenced,
    example: { fence: 40 },
    answers: run,
  },
  logRun: {
    ...ENDPOINTS.logRun,
    tag,
    summary: 'Add to the transcript',
    policy: 'worker',
    params,
    body: AppendLog,
    example: { fence: 40, entries: ['$ npm test\n', '12 passed\n'] },
    answers: { 200: { description: 'How long it is', body: LogAppended } },
  },
  useRun: {
    ...ENDPOINTS.useRun,
    tag,
    summary: 'The whole usage of the run so far; the first report spends its credit',
    policy: 'worker',
    params,
    body: RecordUsage,
    example: { fence: 40, input_tokens: 12_000, output_tokens: 800, turns: 4, cost_usd: 0.06 },
    answers: run,
  },
  noteRun: {
    ...ENDPOINTS.noteRun,
    tag,
    summary: 'Leave a note in the thread',
    policy: 'worker',
    params,
    body: AddNote,
    example: { fence: 40, text: 'The rounding lives in money.ts.' },
    answers: run,
  },
  askRun: {
    ...ENDPOINTS.askRun,
    tag,
    summary: 'Ask a person; the run ends and the task waits for the answer',
    policy: 'worker',
    params,
    body: AskQuestion,
    example: { fence: 40, question: 'Round up or to the nearest cent?', session: 's-1' },
    answers: {
      200: {
        description: 'The task waits',
        body: z.object({ task: TaskName, state: TaskState }),
      },
    },
  },
  reportRun: {
    ...ENDPOINTS.reportRun,
    tag,
    summary: "The worker's last word on a run, and with `next` the next claim at once",
    policy: 'worker',
    params,
    body: ReportRun,
    example: {
      fence: 40,
      outcome: 'pr_created',
      summary: 'Prices show tax',
      branch: 'hall/dev/issue-12',
      pr: { number: 31, url: 'https://github.com/acme/shop/pull/31' },
      next: { wait_seconds: 30 },
    },
    answers: { 200: { description: 'What became of the task', body: ReportResult } },
  },
} as const satisfies Record<string, Route>;
