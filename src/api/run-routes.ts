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
const run = { 200: { description: 'The run after the change', body: Run } };

export const RUN_ROUTES = {
  getRun: {
    ...ENDPOINTS.getRun,
    tag,
    summary: 'Get a run',
    policy: 'viewer_or_worker',
    params,
    answers: { 200: { description: 'The run', body: Run } },
  },
  getTranscript: {
    ...ENDPOINTS.getTranscript,
    tag,
    summary: 'Get the transcript of a run',
    policy: 'viewer_or_worker',
    params,
    query: TranscriptQuery,
    answers: { 200: { description: 'A page of the transcript', body: Transcript } },
  },
  startRun: {
    ...ENDPOINTS.startRun,
    tag,
    summary: 'Start a run; its time limit counts from now on',
    policy: 'worker',
    params,
    body: Fenced,
    example: { fence: 40 },
    answers: run,
  },
  logRun: {
    ...ENDPOINTS.logRun,
    tag,
    summary: 'Append to the transcript of a run',
    policy: 'worker',
    params,
    body: AppendLog,
    example: { fence: 40, entries: ['$ npm test\n', '12 passed\n'] },
    answers: { 200: { description: 'The length of the transcript', body: LogAppended } },
  },
  recordUsage: {
    ...ENDPOINTS.recordUsage,
    tag,
    summary: 'Report the total usage of a run so far; the first report spends its credit',
    policy: 'worker',
    params,
    body: RecordUsage,
    example: { fence: 40, input_tokens: 12_000, output_tokens: 800, turns: 4, cost_usd: 0.06 },
    answers: run,
  },
  noteRun: {
    ...ENDPOINTS.noteRun,
    tag,
    summary: 'Add a note to the thread',
    policy: 'worker',
    params,
    body: AddNote,
    example: { fence: 40, text: 'The rounding lives in money.ts.' },
    answers: run,
  },
  askQuestion: {
    ...ENDPOINTS.askQuestion,
    tag,
    summary: 'Ask a person; the run ends and the task waits for the answer',
    policy: 'worker',
    params,
    body: AskQuestion,
    example: { fence: 40, question: 'Round up or to the nearest cent?', session: 's-1' },
    answers: {
      200: {
        description: 'The task and its state',
        body: z.object({ task: TaskName, state: TaskState }),
      },
    },
  },
  reportRun: {
    ...ENDPOINTS.reportRun,
    tag,
    summary: 'Report the outcome of a run; with `next`, also claim the next task',
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
    answers: {
      200: {
        description: 'The state of the task, and the next claim if there is one',
        body: ReportResult,
      },
    },
  },
} as const satisfies Record<string, Route>;
