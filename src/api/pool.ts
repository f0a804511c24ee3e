import { z } from 'zod';
import { Pause, Time } from './fields.ts';

/** One member of the pool. */
export const Agent = z
  .object({
    name: z.string(),
    type: z.string(),
    /** Its own model, or else its type's. */
    model: z.string().nullable(),
    prompt_appendix: z.string().nullable(),
    match_labels: z.array(z.string()),
    notes: z.string().nullable(),
    enabled: z.boolean(),
    projects: z.array(z.string()).nullable(),
    /** Concurrent runs; 0 means no limit other than the projects' own. */
    parallel: z.int(),
    paused: Pause.nullable(),
    added_at: Time,
    changed_at: Time,
    running: z.int(),
    workers: z.int(),
  })
  .meta({ id: 'Agent' });

export const Agents = z.object({ agents: z.array(Agent) });

export const Invoker = z
  .object({
    handle: z.string(),
    weekly_cap: z.int(),
    used: z.int(),
    reserved: z.int(),
    projects: z.array(z.string()).nullable(),
    paused: Pause.nullable(),
    parked_until: Time.nullable(),
    /** The provider's message when it was parked. */
    parked_because: z.string().nullable(),
    last_used: Time.nullable(),
  })
  .meta({ id: 'Invoker' });

export const Invokers = z.object({ invokers: z.array(Invoker) });

export type Agent = z.output<typeof Agent>;
export type Invoker = z.output<typeof Invoker>;
