import { randomBytes } from 'node:crypto';
import type { WORKER_ROUTES } from '../../api/worker-routes.ts';
import { isReplayed } from '../../board/command.ts';
import type { Hall } from '../../board/hall.ts';
import { leadingOf } from '../../board/leader.ts';
import { readBoard } from '../../board/read-board.ts';
import type { Duration, WorkerId } from '../../domain/ids.ts';
import { leave, loseWorker } from '../../domain/lease.ts';
import { drainWorker, register } from '../../domain/registering.ts';
import { attendanceIn } from '../../queries/attendance.ts';
import type { ClaimAnswers } from '../../queries/claim-answer.ts';
import { ordersFor } from '../../queries/orders.ts';
import { workerIn, workerName } from '../../queries/views/plain.ts';
import { workerView } from '../../queries/views/pool.ts';
import type { Implementations } from '../ask.ts';
import type { Blot } from '../blotting.ts';
import { change } from '../changing.ts';
import { hashOf, WORKER_TOKEN } from '../keyring.ts';
import { isOwnPath } from '../policy.ts';
import { sealedChange } from '../sealed-change.ts';
import { claimRoutes, notYours, unknownWorker } from './claims.ts';

interface Needs {
  readonly hall: Hall;
  readonly heartbeat: Duration;
  readonly answers: ClaimAnswers;
  readonly blot: Blot;
}

export function workerRoutes({ hall, heartbeat, answers, blot }: Needs) {
  const { board } = hall;

  return {
    ...claimRoutes(hall, answers),
    ...registerRoute(hall, heartbeat),

    listWorkers: async () => {
      const attendance = await attendanceIn(hall);
      const workers = await readBoard(hall, (now) =>
        [...now.workers.values()].map((worker) => workerView(now, worker, attendance)),
      );
      return { status: 200, body: { workers } };
    },

    beatWorker: async ({ params, body, caller }) => {
      if (!isOwnPath(caller, params.id)) return notYours(params.id);
      const worker = workerIn(params.id);
      const { signs } = leadingOf(hall);
      if (!board.workers.has(worker)) return unknownWorker(params.id);
      signs.beat(worker);
      return { status: 200, body: await readBoard(hall, (now) => ordersFor(now, worker, body)) };
    },

    drainWorker: async (ask) => {
      const attendance = await attendanceIn(hall);
      return change(hall, ask, {
        decide: (now) => drainWorker(now, workerIn(ask.params.id)),
        reply: (id) => {
          const worker = board.workers.get(id);
          if (!worker) throw new Error(`${ask.params.id} is gone although it was just drained`);
          return { status: 200, body: workerView(board, worker, attendance) };
        },
      });
    },

    dismissWorker: (ask) => {
      if (!isOwnPath(ask.caller, ask.params.id)) return notYours(ask.params.id);
      const { because = 'it left', how } = ask.query;
      const goes = how === 'crashed' ? loseWorker : leave;
      return change(hall, ask, {
        decide: (now, at) => goes(now, workerIn(ask.params.id), blot(because), at),
        reply: () => ({ status: 204 }),
      });
    },
  } satisfies Pick<Implementations, keyof typeof WORKER_ROUTES>;
}

/** The token is made here and shown once; the board holds its hash. */
function registerRoute(hall: Hall, heartbeat: Duration) {
  return {
    registerWorker: async (ask) => {
      const { instance, projects: wanted, brings_model, host, cells } = ask.body;
      const token = `${WORKER_TOKEN}${randomBytes(32).toString('base64url')}`;
      const asked = {
        instance,
        projects: wanted,
        bringsModel: brings_model,
        host,
        ...(cells && { cells }),
      };
      let id: WorkerId | undefined;
      const outcome = await sealedChange(hall, ask, {
        decide: (now, at) => register(now, { ...asked, tokenHash: hashOf(token) }, at),
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
      if (id !== undefined && !isReplayed(outcome)) leadingOf(hall).signs.beat(id);
      return outcome;
    },
  } satisfies Pick<Implementations, 'registerWorker'>;
}
