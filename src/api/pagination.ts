import { z } from 'zod';

/** The query for a page of a list. `next` of one page is `after` of the following. */
export function page<C extends z.ZodType<string | undefined>>(cursor: C) {
  return { limit: z.coerce.number<number>().int().min(1).max(200).default(50), after: cursor };
}
