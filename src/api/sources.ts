import { z } from 'zod';
import { words } from './words.ts';

const FilterAsked = z.strictObject({ labels: z.array(words(100)).max(100).default([]) });

/** Where tasks of a project come from by themselves. */
export const SourceAsked = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('github-issues'), filter: FilterAsked.prefault({}) }),
    z.strictObject({ kind: z.literal('forgejo-issues'), filter: FilterAsked.prefault({}) }),
    z.strictObject({ kind: z.literal('spiral-grove'), path: words(1_000).default('.sdd/tasks') }),
    z.strictObject({ kind: z.literal('spec-files'), path: words(1_000).default('specs') }),
    z.strictObject({ kind: z.literal('api') }),
  ])
  .meta({ id: 'SourceAsked' });

export const SOURCE_KINDS = SourceAsked.options.map(({ shape }) => shape.kind.value);
