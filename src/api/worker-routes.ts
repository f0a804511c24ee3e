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
    summary: 'Register a worker as an instance of the pool',
    policy: 'join',
    body: RegisterWorker,
    example: { instance: 'dev-default', projects: ['shop'], brings_model: true },
    answers: {
      201: {
        description: 'The worker with its token, which is shown once',
        body: RegisteredWorker,
      },
    },
  },
  listWorkers: {
    ...ENDPOINTS.listWorkers,
    tag,
    summary: 'List the registered workers',
    policy: 'viewer',
    answers: { 200: { description: 'The workers', body: Workers } },
  },
  sendHeartbeat: {
    ...ENDPOINTS.sendHeartbeat,
    tag,
    summary: 'Send a heartbeat and get orders: go on, stop or drain',
    policy: 'worker',
    params,
    body: Heartbeat,
    example: { run: 'r-40', fence: 40 },
    answers: {
      200: {
        description: 'The orders',
        body: HeartbeatResponse,
        example: { orders: 'continue', run: 'r-40', reason: null },
      },
    },
  },
  drainWorker: {
    ...ENDPOINTS.drainWorker,
    tag,
    summary: 'Drain a worker: it finishes its task and claims no more',
    policy: 'operator',
    params,
    answers: { 200: { description: 'The worker after the change', body: Worker } },
  },
  dismissWorker: {
    ...ENDPOINTS.dismissWorker,
    tag,
    summary:
      'Deregister a worker; its task becomes available again, or fails after too many crashes',
    policy: 'operator_or_worker',
    params,
    query: DeregisterWorker,
    answers: { 204: { description: 'The worker was deregistered' } },
  },
  claimTask: {
    ...ENDPOINTS.claimTask,
    tag,
    summary: 'Claim the next task that this worker may take; with `wait_seconds`, wait for one',
    policy: 'worker',
    body: ClaimTask,
    example: { worker: 'w-7', wait_seconds: 30 },
    answers: {
      200: {
        description:
          'The claimed task with its run and fence or, with `explain`, why no task could be claimed',
        body: z.union([Claim, NoClaim]),
      },
      204: { description: 'No task is claimable' },
    },
  },
} as const satisfies Record<string, Route>;
