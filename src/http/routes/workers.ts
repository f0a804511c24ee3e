import { randomBytes } from 'node:crypto';
import type { WORKER_ROUTES } from '../../api/worker-routes.ts';
import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import { readBoard } from '../../board/read-board.ts';
import { isReplayed } from '../../board/replay-response.ts';
import type { Duration, WorkerId } from '../../domain/ids.ts';
import { deregister, loseWorker } from '../../domain/lost-worker.ts';
import type { Redactor } from '../../domain/redaction.ts';
import { drainWorker, register } from '../../domain/registering.ts';
import type { ClaimResponses } from '../../queries/claim-response.ts';
import { workerIn, workerName } from '../../queries/views/ids-and-times.ts';
import { workerView } from '../../queries/views/pool.ts';
import { workerLiveness } from '../../queries/worker-liveness.ts';
import { ordersFor } from '../../queries/worker-orders.ts';
import { hashOf, WORKER_TOKEN } from '../authenticate.ts';
import { isOwnPath } from '../authorize.ts';
import { changeBoard } from '../board-access.ts';
import type { Operations } from '../request-context.ts';
import { sealedChange } from '../token-response.ts';
import { claimRoutes, notYourWorker, unknownWorker } from './claims.ts';

interface Needs {
  readonly hall: Hall;
  readonly heartbeat: Duration;
  readonly answers: ClaimResponses;
  readonly redact: Redactor;
}

export function workerRoutes({ hall, heartbeat, answers, redact }: Needs) {
  const { board } = hall;

  return {
    ...claimRoutes(hall, answers),
    ...registerRoute(hall, heartbeat),

    listWorkers: async () => {
      const liveness = await workerLiveness(hall);
      const workers = await readBoard(hall, (now) =>
        [...now.workers.values()].map((worker) => workerView(now, worker, liveness)),
      );
      return { status: 200, body: { workers } };
    },

    sendHeartbeat: async ({ params, body, caller }) => {
      if (!isOwnPath(caller, params.id)) return notYourWorker(params.id);
      const worker = workerIn(params.id);
      const { liveness } = requireLeading(hall);
      if (!board.workers.has(worker)) return unknownWorker(params.id);
      liveness.heartbeat(worker);
      return { status: 200, body: await readBoard(hall, (now) => ordersFor(now, worker, body)) };
    },

    drainWorker: async (context) => {
      const liveness = await workerLiveness(hall);
      return changeBoard(hall, context, {
        decide: (now) => drainWorker(now, workerIn(context.params.id)),
        reply: (id) => {
          const worker = board.workers.get(id);
          if (!worker)
            throw new Error(`${context.params.id} is missing right after it was drained`);
          return { status: 200, body: workerView(board, worker, liveness) };
        },
      });
    },

    dismissWorker: (context) => {
      if (!isOwnPath(context.caller, context.params.id)) return notYourWorker(context.params.id);
      const { because = 'it left', how } = context.query;
      const remove = how === 'crashed' ? loseWorker : deregister;
      return changeBoard(hall, context, {
        decide: (now, at) => remove(now, workerIn(context.params.id), redact(because), at),
        reply: () => ({ status: 204 }),
      });
    },
  } satisfies Pick<Operations, keyof typeof WORKER_ROUTES>;
}

/** The hall creates the token and shows it once; the board stores its hash. */
function registerRoute(hall: Hall, heartbeat: Duration) {
  return {
    registerWorker: async (context) => {
      const { instance, projects: requested, brings_model, host, cells } = context.body;
      const token = `${WORKER_TOKEN}${randomBytes(32).toString('base64url')}`;
      const registration = {
        instance,
        projects: requested,
        bringsModel: brings_model,
        host,
        ...(cells && { cells }),
      };
      let id: WorkerId | undefined;
      const outcome = await sealedChange(hall, context, {
        decide: (now, at) => register(now, { ...registration, tokenHash: hashOf(token) }, at),
        reply: (worker) => {
          id = worker;
          const projects = hall.board.workers.get(worker)?.projects ?? null;
          return {
            status: 201,
            body: {
              id: workerName(worker),
              token,
              instance,
              projects: projects && [...projects],
              brings_model,
              lease_seconds: hall.times.lease / 1000,
              heartbeat_seconds: heartbeat / 1000,
            },
          };
        },
      });
      if (id !== undefined && !isReplayed(outcome)) requireLeading(hall).liveness.heartbeat(id);
      return outcome;
    },
  } satisfies Pick<Operations, 'registerWorker'>;
}
