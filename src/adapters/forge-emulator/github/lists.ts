import { z } from 'zod';
import { type Answer, type Call, type Page, pageOf } from '../http/answer.ts';

const PAGING = { size: 'per_page', standard: 30, most: 100 };

/** A list as GitHub pages it. */
export function listed<T>(call: Call, all: readonly T[], show: (item: T) => unknown): Answer {
  const { items, headers } = page(call, all);
  return { status: 200, body: items.map(show), headers };
}

export function page<T>(call: Call, all: readonly T[]): Page<T> {
  return pageOf(call, all, PAGING);
}

/** Labels come as names, and on some operations as objects. */
export const LabelNames: z.ZodType<string[]> = z.array(
  z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]),
);
