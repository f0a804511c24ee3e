import { z } from 'zod';
import { line, Time } from './fields.ts';

const SourceFilter = z.strictObject({ labels: z.array(line(100)).max(100).default([]) });

/** Where a project's tasks come from automatically. */
export const SourceConfig = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('github-issues'), filter: SourceFilter.prefault({}) }),
    z.strictObject({ kind: z.literal('forgejo-issues'), filter: SourceFilter.prefault({}) }),
    z.strictObject({ kind: z.literal('gitea-issues'), filter: SourceFilter.prefault({}) }),
    z.strictObject({ kind: z.literal('spiral-grove'), path: line(1_000).default('.sdd/tasks') }),
    z.strictObject({ kind: z.literal('spec-files'), path: line(1_000).default('specs') }),
    z.strictObject({ kind: z.literal('api') }),
  ])
  .meta({ id: 'SourceConfig' });

/** How far the items of a source or a file are. */
const Counts = z
  .object({
    total: z.int(),
    completed: z.int(),
    to_merge: z.int(),
    in_review: z.int(),
    running: z.int(),
    failed: z.int(),
    waiting: z.int(),
  })
  .meta({ id: 'SourceCounts' });

const Progress = {
  /** "3 of 10 completed, 4 wait for you to merge, 2 running, 1 failed". */
  progress: z.string(),
  counts: Counts,
};

const SOURCE_STATUSES = ['up', 'degraded', 'paused', 'not_read_yet'] as const;

/** A source as the board shows it. */
export const SourceProgress = z
  .object({
    id: z.string(),
    project: z.string(),
    kind: z.string(),
    status: z.enum(SOURCE_STATUSES),
    /** What an operator should know about it; null if nothing. */
    says: z.string().nullable(),
    ...Progress,
    files: z.array(z.object({ path: z.string(), ...Progress })),
  })
  .meta({ id: 'SourceProgress' });

export const Source = SourceProgress.extend({
  settings: z.record(z.string(), z.unknown()),
  read_at: Time.nullable(),
  /** The commit that was read last; null for issues. */
  commit: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      ...Progress,
      status: z.string().nullable(),
      /** Why its tasks are not posted; null where they are. */
      not_posted: z.string().nullable(),
      /** Further entries of its front matter. */
      head: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    }),
  ),
  /** Files with mistakes: they change nothing until they are corrected. */
  refused: z.array(z.object({ file: z.string(), line: z.int(), because: z.string() })),
  /** Items that no task was posted for, and why. */
  not_posted: z.array(z.object({ item: z.string(), title: z.string(), because: z.string() })),
}).meta({ id: 'Source' });

export const Sources = z.object({ sources: z.array(Source) });

export type SourceView = z.output<typeof Source>;

export const SOURCE_KINDS = SourceConfig.options.map(({ shape }) => shape.kind.value);
