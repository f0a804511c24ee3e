import type { HALL_ROUTES } from '../../api/hall-routes.ts';
import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import { type Pausable, pause, resume } from '../../domain/administration.ts';
import type { Board } from '../../domain/board.ts';
import { refuse } from '../../domain/refusal.ts';
import { agentView, invokerView } from '../../queries/views/pool.ts';
import { type ChangeContext, changeBoard } from '../board-access.ts';
import type { Operations, RequestContext } from '../request-context.ts';
import type { PlainReply } from '../send.ts';

type PoolRoute = Extract<keyof typeof HALL_ROUTES, `${string}${'Agent' | 'Invoker'}${string}`>;

export function poolRoutes(hall: Hall) {
  const { board } = hall;
  const { setPause, endPause } = createPausing(hall);
  const agentNow = (name: string) => () => ({ status: 200, body: agentIn(board, name) }) as const;
  const invokerNow = (handle: string) => () =>
    ({ status: 200, body: invokerIn(board, handle) }) as const;

  return {
    listAgents: async () => {
      const agents = await readBoard(hall, (now) =>
        [...now.instances.values()].map((instance) => agentView(now, instance)),
      );
      return { status: 200, body: { agents } };
    },

    getAgent: ({ params: { name } }) =>
      readBoard(hall, (now) => {
        const instance = now.instances.get(name);
        if (!instance) return refuse('unknown_instance', `there is no instance ${name}`);
        return { status: 200, body: agentView(now, instance) };
      }),

    pauseAgent: (ask) => {
      const { name } = ask.params;
      return setPause(ask, { kind: 'instance', name }, agentNow(name));
    },
    resumeAgent: (ask) => {
      const { name } = ask.params;
      return endPause(ask, { kind: 'instance', name }, agentNow(name));
    },

    listInvokers: async () => {
      const invokers = await readBoard(hall, (now) => [...now.invokers.values()].map(invokerView));
      return { status: 200, body: { invokers } };
    },

    pauseInvoker: (ask) => {
      const { handle: name } = ask.params;
      return setPause(ask, { kind: 'invoker', name }, invokerNow(name));
    },
    resumeInvoker: (ask) => {
      const { handle: name } = ask.params;
      return endPause(ask, { kind: 'invoker', name }, invokerNow(name));
    },
  } satisfies Pick<Operations, PoolRoute>;
}

/** The kill switch, for the hall and everything in it. */
export function createPausing(hall: Hall) {
  return {
    setPause<const R extends PlainReply>(
      ask: ChangeContext & Pick<RequestContext<'pauseHall'>, 'body'>,
      what: Pausable,
      reply: () => R,
    ) {
      const because = ask.body.because ?? null;
      return changeBoard(hall, ask, { decide: (now, at) => pause(now, what, because, at), reply });
    },
    endPause<const R extends PlainReply>(ask: ChangeContext, what: Pausable, reply: () => R) {
      return changeBoard(hall, ask, { decide: (now) => resume(now, what), reply });
    },
  };
}

function agentIn(board: Board, name: string) {
  const instance = board.instances.get(name);
  if (!instance) throw new Error(`instance ${name} is gone although it was just changed`);
  return agentView(board, instance);
}

function invokerIn(board: Board, handle: string) {
  const invoker = board.invokers.get(handle);
  if (!invoker) throw new Error(`invoker ${handle} is gone although it was just changed`);
  return invokerView(invoker);
}
