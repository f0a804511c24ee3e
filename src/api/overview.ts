import { z } from 'zod';
import { Counts, line, Name, Pause, TaskName, ThreadName, Time, TimeInput } from './fields.ts';
import { HallState } from './hall.ts';
import { SourceProgress } from './sources.ts';
import { Task } from './tasks.ts';
import { Worker } from './workers.ts';

export const BoardQuery = z.strictObject({ at: TimeInput.optional() });

const NEEDS = [
  'approval',
  'question',
  'proposal',
  'handed_over',
  'pull_request',
  'failed',
  'rejected',
] as const;

/** What only a person can move on. */
export const NeedsPerson = z
  .object({
    kind: z.enum(NEEDS),
    /** The approval, task or thread that it is about. */
    id: z.string(),
    project: z.string(),
    title: z.string(),
    since: Time,
    /** What it is about: the command, the question, or the first line of the reason. */
    because: z.string(),
    /** The command that moves it on. */
    command: z.string(),
  })
  .meta({ id: 'NeedsPerson' });

export const Board = z
  .object({
    at: Time,
    /** The last event included in this snapshot. */
    seq: z.int(),
    hall: HallState,
    /** Longest waiting first. */
    needs_person: z.array(NeedsPerson),
    /** Whether more needs a person than `needs_person` lists. */
    needs_person_more: z.boolean(),
    /** Open threads that were split, with the progress of their children. */
    parents: z.array(
      z.object({
        id: ThreadName,
        project: z.string(),
        title: z.string(),
        children: z.int(),
        children_done: z.int(),
        /** "3 of 10 completed". */
        progress: z.string(),
      }),
    ),
    /** The task sources of projects, with the progress of their items. */
    sources: z.array(SourceProgress),
    /** The active tasks first, then other open ones, then those that ended last. Not all of them. */
    tasks: z.array(Task.extend({ cost_usd: z.number() }).meta({ id: 'BoardTask' })),
    projects: z.array(
      z.object({
        name: z.string(),
        paused: Pause.nullable(),
        running: z.int(),
        max_workers: z.int(),
        open: z.int(),
        counts: Counts,
        /** What an operator should know about it; null if nothing. */
        says: z.string().nullable(),
        /** What its agents can do for lack of isolation; null where they are isolated. */
        missing_isolation: z.string().nullable(),
        /** Why the hall cannot start some of its agents there until a person acts; null where it can. */
        cannot_start: z.string().nullable(),
        /** The secrets that agents in it can read, for each such type; empty where they get none. */
        exposed_secrets: z.array(z.string()),
        /** Which of its agents the tool gate does not judge; null where it judges all. */
        missing_gate: z.string().nullable(),
      }),
    ),
    workers: z.array(Worker),
    totals: z.object({
      open: z.int(),
      running: z.int(),
      workers: z.int(),
      counts: Counts,
    }),
  })
  .meta({ id: 'Board' });

const seq = z.coerce.number<number>().int().min(0);

export const EventsQuery = z.strictObject({
  after: seq.optional(),
  before: seq.optional(),
  order: z.enum(['newest', 'oldest']).default('newest'),
  project: Name.optional(),
  task: TaskName.optional(),
  type: line(500)
    .transform((list) => list.split(','))
    .optional(),
  limit: z.coerce.number<number>().int().min(1).max(1_000).default(100),
});

export const StreamQuery = z.strictObject({
  after: seq.optional(),
  project: Name.optional(),
  task: TaskName.optional(),
});

/** One event. */
export const EventRecord = z
  .object({
    seq: z.int(),
    at: Time,
    type: z.string(),
    actor: z.string(),
    cause: z.string(),
    facts: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' });

export const Events = z.object({
  events: z.array(EventRecord),
  /** The sequence to continue from: `before` when newest come first, else `after`. */
  next: z.int().nullable(),
});

const Rates = z.object({
  completed: z.int(),
  failed: z.int(),
  rejected: z.int(),
  cancelled: z.int(),
  /** Completed as a share of completed and failed; null while there are neither. */
  success_rate: z.number().nullable(),
  rejections: z.record(z.string(), z.int()),
  /** Pull requests merged without approval, by merge_policy force-at-max-rounds. */
  forced_merges: z.int(),
});

export const Stats = z
  .object({
    totals: Rates,
    projects: z.array(Rates.extend({ name: z.string(), open: z.int() })),
  })
  .meta({ id: 'Stats' });

const Spent = z.object({
  runs: z.int(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  turns: z.number(),
  cost_usd: z.number(),
});

export const UsageSummary = z
  .object({
    window: z.object({ opens: Time, closes: Time }),
    invokers: z.array(
      z.object({
        handle: z.string(),
        used: z.int(),
        reserved: z.int(),
        weekly_cap: z.int(),
      }),
    ),
    /** What the active runs have used so far. */
    running: z.object({
      total: Spent,
      projects: z.array(Spent.extend({ name: z.string() })),
    }),
  })
  .meta({ id: 'UsageSummary' });

const STATUSES = ['up', 'degraded', 'down'] as const;

export const Health = z
  .object({
    status: z.enum(STATUSES),
    components: z.array(z.object({ name: z.string(), status: z.enum(STATUSES), says: z.string() })),
  })
  .meta({ id: 'Health' });

export const ProbeResult = z
  .object({ status: z.enum(['up', 'down']), because: z.string().optional() })
  .meta({ id: 'ProbeResult' });

/** Where things are, for a visitor of the root address. */
export const ApiIndex = z
  .object({
    name: z.literal('guildhall'),
    version: z.string(),
    api: z.string(),
    openapi: z.string(),
    healthz: z.string(),
    readyz: z.string(),
    metrics: z.string(),
    docs: z.string(),
  })
  .meta({ id: 'ApiIndex' });

export type Board = z.output<typeof Board>;
export type NeedsPerson = z.output<typeof NeedsPerson>;
export type EventRecord = z.output<typeof EventRecord>;
export type Health = z.output<typeof Health>;
