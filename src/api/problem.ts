import { z } from 'zod';

/** What is wrong, as RFC 9457 has it, with a code to act on and every mistake at once. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** Names the request, and stands in the hall's log beside whatever it did. */
    instance: z.string(),
    code: z.string(),
    mistakes: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });

export type Problem = z.output<typeof Problem>;
