import type { HALL_ROUTES } from '../../api/hall-routes.ts';
import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import type { Board } from '../../domain/board.ts';
import { type Pausable, pause, resume } from '../../domain/pausing.ts';
import { refuse } from '../../domain/refusal.ts';
import { personaView } from '../../queries/views/persona.ts';
import { agentView, invokerView } from '../../queries/views/pool.ts';
import { type ChangeContext, changeBoard } from '../board-access.ts';
import type { Operations, RequestContext } from '../request-context.ts';
import type { PlainReply } from '../send.ts';

type PoolRoute = Extract<
  keyof typeof HALL_ROUTES,
  `${string}${'Agent' | 'Invoker' | 'Persona'}${string}`
>;

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

    pauseAgent: (context) => {
      const { name } = context.params;
      return setPause(context, { kind: 'instance', name }, agentNow(name));
    },
    resumeAgent: (context) => {
      const { name } = context.params;
      return endPause(context, { kind: 'instance', name }, agentNow(name));
    },

    listPersonas: async () => {
      const personas = await readBoard(hall, (now) =>
        [...now.personas.values()].map((persona) => personaView(now, persona)),
      );
      return { status: 200, body: { personas: personas.sort(bySlug) } };
    },

    listInvokers: async () => {
      const invokers = await readBoard(hall, (now) => [...now.invokers.values()].map(invokerView));
      return { status: 200, body: { invokers } };
    },

    pauseInvoker: (context) => {
      const { handle: name } = context.params;
      return setPause(context, { kind: 'invoker', name }, invokerNow(name));
    },
    resumeInvoker: (context) => {
      const { handle: name } = context.params;
      return endPause(context, { kind: 'invoker', name }, invokerNow(name));
    },
  } satisfies Pick<Operations, PoolRoute>;
}

function bySlug(one: { readonly slug: string }, other: { readonly slug: string }): number {
  return one.slug < other.slug ? -1 : 1;
}

/** The kill switch, for the hall and everything in it. */
export function createPausing(hall: Hall) {
  return {
    setPause<const R extends PlainReply>(
      context: ChangeContext & Pick<RequestContext<'pauseHall'>, 'body'>,
      what: Pausable,
      reply: () => R,
    ) {
      const because = context.body.because ?? null;
      return changeBoard(hall, context, {
        decide: (now, at) => pause(now, what, because, at),
        reply,
      });
    },
    endPause<const R extends PlainReply>(context: ChangeContext, what: Pausable, reply: () => R) {
      return changeBoard(hall, context, { decide: (now) => resume(now, what), reply });
    },
  };
}

function agentIn(board: Board, name: string) {
  const instance = board.instances.get(name);
  if (!instance) throw new Error(`instance ${name} is missing right after it was changed`);
  return agentView(board, instance);
}

function invokerIn(board: Board, handle: string) {
  const invoker = board.invokers.get(handle);
  if (!invoker) throw new Error(`invoker ${handle} is missing right after it was changed`);
  return invokerView(invoker);
}
