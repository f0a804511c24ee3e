import { z } from 'zod';
import { ISOLATIONS } from '../domain/project.ts';
import { Fence, line, Name, ReasonBody, RunName, TaskName, Time, WorkerName } from './fields.ts';

const CellsTold = z
  .strictObject({
    kind: z.enum(ISOLATIONS),
    /** What they do not wall off on this machine. */
    gaps: z.array(line(2_000)).max(50),
  })
  .meta({ id: 'CellsTold' });

export const RegisterWorker = z
  .strictObject({
    instance: Name,
    /** Narrows where it works; null means wherever its instance may. */
    projects: z.array(Name).min(1).max(100).nullable().default(null),
    /** True of a worker that pays for its own model: no invoker is asked. */
    brings_model: z.boolean().default(false),
    host: line(200).nullable().default(null),
    /** The best walls its machine can build for agents; left out by workers that have none of the hall's cells. */
    cells: CellsTold.optional(),
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
    /** Its request for work is open now. */
    waiting: z.boolean(),
    run: z.object({ id: RunName, task: TaskName, project: z.string() }).nullable(),
  })
  .meta({ id: 'Worker' });

/** How a worker goes: `crashed` says that its task has cost one. */
export const DeregisterWorker = ReasonBody.extend({ how: z.enum(['left', 'crashed']).optional() });

export const Workers = z.object({ workers: z.array(Worker) });

/** What the worker believes it is doing, so that the hall can tell it to stop. */
export const Heartbeat = z.strictObject({ run: RunName.optional(), fence: Fence.optional() });

export const HeartbeatResponse = z
  .object({
    orders: z.enum(['go_on', 'stop', 'drain']),
    /** The run that is its own. */
    run: RunName.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'HeartbeatResponse' });

export type Worker = z.output<typeof Worker>;
export type HeartbeatResponse = z.output<typeof HeartbeatResponse>;
