import { z } from 'zod';

/** An RFC 9457 problem, with a code to act on and the first mistakes. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** Identifies the request, also in the hall's log. */
    instance: z.string(),
    code: z.string(),
    mistakes: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    /** How many are not listed. */
    more_mistakes: z.int().optional(),
  })
  .meta({ id: 'Problem' });

export type Problem = z.output<typeof Problem>;
