import { z } from 'zod';
import { ENDINGS } from '../domain/run.ts';
import { COMPLETED_OUTCOMES, REJECTION_CODES, REPORTED_FAILURES } from '../domain/task.ts';
import { REVIEW_VERDICTS } from '../domain/thread.ts';
import { ifThenElse, isGiven, isNull, isOneOf } from './conditions.ts';
import {
  Body,
  characters,
  Fence,
  Link,
  line,
  Name,
  RunName,
  SizeInput,
  TaskName,
  TaskState,
  ThreadName,
  Time,
  TimeInput,
  text,
} from './fields.ts';
import { ProposedChild, Rejection } from './tasks.ts';

const amount = z.number().min(0).max(1e15);
const count = z.int().min(0).max(1e15);

const Usage = z
  .object({ input_tokens: count, output_tokens: count, turns: count, cost_usd: amount })
  .meta({ id: 'Usage' });

/** How a run ended; facts that do not apply are left out. */
export const Ending = z
  .object({
    at: Time,
    how: z.enum(ENDINGS),
    outcome: z.string().optional(),
    summary: z.string().optional(),
    branch: z.string().nullable().optional(),
    commit: z.string().nullable().optional(),
    pr: z.object({ number: z.int(), url: z.string() }).nullable().optional(),
    details: z.string().nullable().optional(),
    verdict: z.string().optional(),
    rejection: Rejection.optional(),
    question: z.string().optional(),
    session: z.string().nullable().optional(),
    until: Time.optional(),
    because: z.string().optional(),
  })
  .meta({ id: 'Ending' });

export const Run = z
  .object({
    id: RunName,
    task: TaskName,
    thread: ThreadName,
    project: z.string(),
    worker: z.string(),
    instance: z.string(),
    agent: z.string(),
    invoker: z.string().nullable(),
    credits: z.int(),
    claimed_at: Time,
    started_at: Time.nullable(),
    /** How long it should take; null for a run that an older version claimed. */
    target_seconds: z.number().nullable(),
    /** Since when it has worked for longer than that. */
    over_target_since: Time.nullable(),
    limit_seconds: z.number(),
    usage: Usage,
    ending: Ending.nullable(),
  })
  .meta({ id: 'Run' });

/** Every call about a run carries the fence from its claim. */
export const Fenced = z.strictObject({ fence: Fence });

export const AppendLog = z.strictObject({
  fence: Fence,
  /** Output may contain anything, so unstorable characters are replaced rather than refused. */
  entries: z
    .array(
      characters(262_144).transform((entry) => entry.replaceAll('\0', '\u2400').toWellFormed()),
    )
    .min(1)
    .max(1_000),
});

export const LogAppended = z.object({
  /** The number of entries the transcript has received. */
  entries: z.int(),
  /** True once the transcript is at its maximum length; more is dropped. */
  cut: z.boolean(),
});

export const RecordUsage = z.strictObject({
  fence: Fence,
  input_tokens: count,
  output_tokens: count,
  turns: count.default(0),
  cost_usd: amount.default(0),
});

export const AddNote = z.strictObject({ fence: Fence, text: line(20_000) });

export const AskQuestion = z.strictObject({
  fence: Fence,
  question: line(20_000),
  /** What the worker needs to resume where it stopped. */
  session: text(1_000).nullable().default(null),
});

const RejectionInput = z.strictObject({
  reason_code: z.enum(REJECTION_CODES),
  message: line(20_000),
  missing: z.array(line(2_000)).max(100).default([]),
  questions: z.array(line(2_000)).max(100).default([]),
  suggested_size: SizeInput.nullable().default(null),
});

const OUTCOMES = [
  ...COMPLETED_OUTCOMES,
  ...REPORTED_FAILURES,
  'quota_exceeded',
  'rejected',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export function isDone(outcome: Outcome): outcome is (typeof COMPLETED_OUTCOMES)[number] {
  return (COMPLETED_OUTCOMES as readonly string[]).includes(outcome);
}

export const ReportRun = z
  .strictObject({
    fence: Fence,
    outcome: z.enum(OUTCOMES),
    summary: text(20_000).default(''),
    branch: line(250).nullable().default(null),
    commit: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/, 'must be a commit hash in hexadecimal')
      .nullable()
      .default(null),
    pr: z
      .strictObject({ number: z.int().min(1), url: Link })
      .nullable()
      .default(null),
    details: Body.nullable().default(null),
    /** The verdict of a review on `commit`. */
    verdict: z.enum(REVIEW_VERDICTS).nullable().default(null),
    /** Who should do it instead, with the outcome rerouted. */
    agent: Name.nullable().default(null),
    rejection: RejectionInput.nullable().default(null),
    resets_at: TimeInput.nullable().default(null),
    children: z.array(ProposedChild).max(25).default([]),
    next: z
      .strictObject({ wait_seconds: z.number().min(0).max(60).default(0) })
      .nullable()
      .default(null),
  })
  .refine(({ outcome, rejection }) => outcome !== 'rejected' || rejection !== null, {
    path: ['rejection'],
    message:
      'is missing: give { reason_code, message } and, if useful, missing, questions and suggested_size',
  })
  .refine(({ outcome, rejection }) => outcome === 'rejected' || rejection === null, {
    path: ['rejection'],
    message: 'is allowed only with the outcome rejected',
  })
  .refine(({ verdict, commit }) => verdict === null || commit !== null, {
    path: ['commit'],
    message: 'is missing: a verdict needs the commit that was reviewed',
  })
  .refine(({ outcome, agent }) => outcome === 'rerouted' || agent === null, {
    path: ['agent'],
    message: 'is allowed only with the outcome rerouted',
  })
  .refine(({ outcome, children }) => children.length === 0 || isDone(outcome), {
    path: ['children'],
    message: 'are allowed only with a completed decomposition',
  })
  .meta({
    id: 'ReportRun',
    allOf: [
      ifThenElse(isOneOf('outcome', ['rejected']), isGiven('rejection'), isNull('rejection')),
      ifThenElse(isGiven('verdict'), isGiven('commit'), {}),
      ifThenElse(isOneOf('outcome', ['rerouted']), {}, isNull('agent')),
      ifThenElse(
        isOneOf('outcome', COMPLETED_OUTCOMES),
        {},
        { properties: { children: { maxItems: 0 } } },
      ),
    ],
  });

export const TranscriptQuery = z.strictObject({
  after: z.coerce.number<number>().int().min(0).default(0),
  limit: z.coerce.number<number>().int().min(1).max(1_000).default(200),
});

export const Transcript = z
  .object({
    entries: z.array(z.object({ run: RunName, n: z.int(), at: Time, text: z.string() })),
    /** Pass this as `after` to get more; null at the end. */
    next: z.int().nullable(),
  })
  .meta({ id: 'Transcript' });

/** A task, as the worker that holds it needs it. */
const ClaimedTask = z
  .object({
    id: TaskName,
    thread: ThreadName,
    project: z.string(),
    repo: z.string().nullable(),
    title: z.string(),
    body: z.string(),
    skill: z.string(),
    type: z.string(),
    agent: z.string(),
    size: z.string(),
    labels: z.array(z.string()),
    branch: z.string().nullable(),
    pr: z.object({ number: z.int(), url: z.string(), state: z.string() }).nullable(),
    /** The notes in the thread so far, oldest first. */
    notes: z.array(z.object({ kind: z.string(), by: z.string(), at: Time, text: z.string() })),
    /** How earlier runs of this task ended. */
    previous: z.array(z.object({ run: RunName, ending: Ending })),
  })
  .meta({ id: 'ClaimedTask' });

export const Claim = z
  .object({
    run: RunName,
    fence: Fence,
    lease_seconds: z.number(),
    heartbeat_seconds: z.number(),
    target_seconds: z.number().nullable(),
    limit_seconds: z.number(),
    task: ClaimedTask,
  })
  .meta({ id: 'Claim' });

export const ClaimTask = z.strictObject({
  worker: z.string().regex(/^w-[1-9]\d{0,14}$/, 'must be the id of a worker, such as w-12'),
  wait_seconds: z.number().min(0).max(60).default(0),
  explain: z.boolean().default(false),
});

/** Why a worker stays idle. */
export const NoClaim = z
  .object({
    run: z.null(),
    reasons: z.array(
      z.object({ rule: z.string(), because: z.string(), project: z.string().nullable() }),
    ),
  })
  .meta({ id: 'NoClaim' });

export const ReportResult = z
  .object({
    task: TaskName,
    state: TaskState,
    /** The next task, if one was requested and available. */
    next: Claim.nullable(),
  })
  .meta({ id: 'ReportResult' });

export type Run = z.output<typeof Run>;
export type Ending = z.output<typeof Ending>;
export type Claim = z.output<typeof Claim>;
export type TranscriptQuery = z.output<typeof TranscriptQuery>;
export type ReportRun = z.output<typeof ReportRun>;
