import { z } from 'zod';
import { ISOLATIONS } from '../domain/project.ts';
import { Fence, line, Name, ReasonBody, RunName, TaskName, Time, WorkerName } from './fields.ts';

const WorkerCells = z
  .strictObject({
    kind: z.enum(ISOLATIONS),
    /** What its cells do not isolate on this machine. */
    gaps: z.array(line(2_000)).max(50),
  })
  .meta({ id: 'WorkerCells' });

export const RegisterWorker = z
  .strictObject({
    instance: Name,
    /** The projects it works in; null means all that its instance may. */
    projects: z.array(Name).min(1).max(100).nullable().default(null),
    /** True for a worker that pays for its own model: no invoker is charged. */
    brings_model: z.boolean().default(false),
    host: line(200).nullable().default(null),
    /** The strongest isolation its machine offers; omitted by workers without the hall's cells. */
    cells: WorkerCells.optional(),
  })
  .meta({ id: 'RegisterWorker' });

export const RegisteredWorker = z
  .object({
    id: WorkerName,
    /** Shown once. Every request of this worker carries it. */
    token: z.string(),
    instance: z.string(),
    projects: z.array(z.string()).nullable(),
    brings_model: z.boolean(),
    lease_seconds: z.number(),
    heartbeat_seconds: z.number(),
  })
  .meta({ id: 'RegisteredWorker' });

export const Worker = z
  .object({
    id: WorkerName,
    instance: z.string(),
    projects: z.array(z.string()).nullable(),
    brings_model: z.boolean(),
    host: z.string().nullable(),
    cells: z.object({ kind: z.string(), gaps: z.array(z.string()) }).nullable(),
    draining: z.boolean(),
    registered_at: Time,
    last_seen: Time.nullable(),
    /** Its request for work is currently open. */
    waiting: z.boolean(),
    run: z
      .object({
        id: RunName,
        task: TaskName,
        project: z.string(),
        /** Since when it has worked for longer than the target of its size. */
        over_target_since: Time.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Worker' });

/** How a worker leaves: `crashed` counts as a crash of its task. */
export const DeregisterWorker = ReasonBody.extend({ how: z.enum(['left', 'crashed']).optional() });

export const Workers = z.object({ workers: z.array(Worker) });

/** What the worker believes it is doing, so the hall can order it to stop. */
export const Heartbeat = z.strictObject({ run: RunName.optional(), fence: Fence.optional() });

export const HeartbeatResponse = z
  .object({
    orders: z.enum(['continue', 'stop', 'drain']),
    /** The run that the worker holds. */
    run: RunName.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'HeartbeatResponse' });

export type Worker = z.output<typeof Worker>;
export type HeartbeatResponse = z.output<typeof HeartbeatResponse>;
