import { z } from 'zod';
import { line } from './fields.ts';

const SourceFilter = z.strictObject({ labels: z.array(line(100)).max(100).default([]) });

/** Where a project's tasks come from automatically. */
export const SourceConfig = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('github-issues'), filter: SourceFilter.prefault({}) }),
    z.strictObject({ kind: z.literal('forgejo-issues'), filter: SourceFilter.prefault({}) }),
    z.strictObject({ kind: z.literal('spiral-grove'), path: line(1_000).default('.sdd/tasks') }),
    z.strictObject({ kind: z.literal('spec-files'), path: line(1_000).default('specs') }),
    z.strictObject({ kind: z.literal('api') }),
  ])
  .meta({ id: 'SourceConfig' });

export const SOURCE_KINDS = SourceConfig.options.map(({ shape }) => shape.kind.value);
