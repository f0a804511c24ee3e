import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { WorkerName } from './fields.ts';
import type { Route } from './route.ts';
import { Claim, ClaimTask, NoClaim } from './runs.ts';
import {
  DeregisterWorker,
  Heartbeat,
  HeartbeatResponse,
  RegisteredWorker,
  RegisterWorker,
  Worker,
  Workers,
} from './workers.ts';

const tag = 'workers';
const params = z.strictObject({ id: WorkerName });

export const WORKER_ROUTES = {
  registerWorker: {
    ...ENDPOINTS.registerWorker,
    tag,
    summary: 'Join the hall as an instance of the pool',
    policy: 'join',
    body: RegisterWorker,
    example: { instance: 'dev-default', projects: ['shop'], brings_model: true },
    answers: {
      201: { description: 'The worker, and the token that only it has', body: RegisteredWorker },
    },
  },
  listWorkers: {
    ...ENDPOINTS.listWorkers,
    tag,
    summary: 'The active workers',
    policy: 'viewer',
    answers: { 200: { description: 'The workers', body: Workers } },
  },
  beatWorker: {
    ...ENDPOINTS.beatWorker,
    tag,
    summary: 'Say that the worker lives, and learn whether to go on',
    policy: 'worker',
    params,
    body: Heartbeat,
    example: { run: 'r-40', fence: 40 },
    answers: {
      200: {
        description: 'What to do',
        body: HeartbeatResponse,
        example: { orders: 'go_on', run: 'r-40', reason: null },
      },
    },
  },
  drainWorker: {
    ...ENDPOINTS.drainWorker,
    tag,
    summary: 'Let a worker finish what it has and take nothing more',
    policy: 'operator',
    params,
    answers: { 200: { description: 'As it is now', body: Worker } },
  },
  dismissWorker: {
    ...ENDPOINTS.dismissWorker,
    tag,
    summary:
      'A worker leaves; its task goes back to the board, or is given up when it has cost too many',
    policy: 'operator_or_worker',
    params,
    query: DeregisterWorker,
    answers: { 204: { description: 'It is gone' } },
  },
  claimTask: {
    ...ENDPOINTS.claimTask,
    tag,
    summary: 'Take the next task this worker may take, waiting for one if asked to',
    policy: 'worker',
    body: ClaimTask,
    example: { worker: 'w-7', wait_seconds: 30 },
    answers: {
      200: {
        description: 'The task, with its run and fence; with `explain`, else why there is none',
        body: z.union([Claim, NoClaim]),
      },
      204: { description: 'Nothing is claimable' },
    },
  },
} as const satisfies Record<string, Route>;
