import { openApi } from '../../api/openapi.ts';
import type { OVERVIEW_ROUTES } from '../../api/overview-routes.ts';
import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import type { SecretStore } from '../../board/secret-store.ts';
import { refuse } from '../../domain/refusal.ts';
import type { SecretUse } from '../../domain/secret.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { EventQuery } from '../../ports/store.ts';
import { boardMetrics, healthMetric } from '../../queries/board-metrics.ts';
import { boardNow, boardThen } from '../../queries/board-overview.ts';
import { checkFilter, checkFilterValues } from '../../queries/check-filters.ts';
import { type FreeDisk, healthOf, type Machine } from '../../queries/health.ts';
import { statsOf, usageOf } from '../../queries/stats.ts';
import { createTimeTravel } from '../../queries/time-travel.ts';
import { EVENT_TYPES, eventView } from '../../queries/views/event.ts';
import { taskIn } from '../../queries/views/ids-and-times.ts';
import type { Streams } from '../open-streams.ts';
import { type Operations, type RequestContext, STREAMED } from '../request-context.ts';
import { streamHead } from '../send.ts';
import { invalid } from '../validate-request.ts';

interface Needs {
  readonly hall: Hall;
  readonly streams: Streams;
  readonly metrics: Metrics;
  readonly freeDisk: FreeDisk;
  readonly machine: () => Machine;
  readonly secretStore: SecretStore;
  readonly secretUses: () => readonly SecretUse[];
  /** Why this node is not ready; undefined when it is. */
  readonly unreadiness: () => Promise<string | undefined>;
  readonly version: string;
}

export function overviewRoutes(needs: Needs) {
  const { hall, streams, metrics, unreadiness, version } = needs;
  let description: string | undefined;
  const health = async () => healthOf(needs);

  return {
    ...boardRoute(needs),
    ...eventRoutes(hall, streams),

    getRoot: () => ({ status: 200, body: apiIndex(version) }),
    getApiRoot: () => ({ status: 200, body: apiIndex(version) }),

    getStats: async () => ({ status: 200, body: await readBoard(hall, statsOf) }),

    getUsage: async () => ({ status: 200, body: await readBoard(hall, usageOf) }),

    getHealth: async () => ({ status: 200, body: await health() }),

    getLiveness: () => ({ status: 200, body: { status: 'up' } }),

    getReadiness: async () => {
      const because = await unreadiness();
      return because === undefined
        ? { status: 200, body: { status: 'up' } }
        : { status: 503, body: { status: 'down', because } };
    },

    getMetrics: async () => {
      const facts = { hall, streams: streams.size, version };
      const figures = await readBoard(hall, (board) => boardMetrics(board, facts));
      const { components } = await health();
      const { text, type } = await metrics.expose([...figures, healthMetric(components)]);
      return { status: 200, body: text, text, type };
    },

    getOpenApi: () => {
      description ??= JSON.stringify(openApi(version));
      return { status: 200, body: {}, text: description };
    },
  } satisfies Pick<Operations, keyof typeof OVERVIEW_ROUTES>;
}

function apiIndex(version: string) {
  return {
    name: 'guildhall',
    version,
    api: '/v1',
    openapi: '/openapi.json',
    healthz: '/healthz',
    readyz: '/readyz',
    metrics: '/metrics',
    docs: 'README.md and docs/ in the repository; "guildhall --help" on the command line',
  } as const;
}

function boardRoute({ hall, machine }: Pick<Needs, 'hall' | 'machine'>) {
  const boardAt = createTimeTravel(hall.store);

  return {
    getBoard: async ({ query, response }) => {
      if (query.at === undefined) return { status: 200, body: await boardNow({ hall, machine }) };
      const at = Date.parse(query.at);
      const past = await boardAt(at, () => response.destroyed);
      return { status: 200, body: await boardThen(hall.store, past, at) };
    },
  } satisfies Pick<Operations, 'getBoard'>;
}

function eventRoutes({ board, store }: Hall, streams: Streams) {
  async function unknownFilter({ project, task }: RequestContext<'listEvents'>['query']) {
    const [known] = task === undefined ? [] : await store.tasksById([taskIn(task)]);
    if (task !== undefined && !known) return refuse('unknown_task', `there is no task ${task}`);
    return invalid(checkFilter(board, { project }));
  }

  return {
    listEvents: async ({ query }) => {
      const unknown = invalid(checkFilterValues('type', query.type ?? [], EVENT_TYPES));
      if (unknown) return unknown;
      const { rows, next } = await store.events(eventQuery(query));
      const mistake = rows.length === 0 && (await unknownFilter(query));
      return mistake || { status: 200, body: { events: rows.map(eventView), next: next ?? null } };
    },

    streamEvents: ({ query, caller, response, lastEventId, request }) => {
      const { project } = query;
      const refused = streams.full() ?? invalid(checkFilter(board, { project }));
      if (refused) return refused;
      const known = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : query.after;
      const task = query.task === undefined ? undefined : taskIn(query.task);
      response.writeHead(200, streamHead(request));
      if (response.req.method === 'HEAD') {
        response.end();
        return STREAMED;
      }
      streams.open({ response, after: known, filter: { project, task }, caller });
      return STREAMED;
    },
  } satisfies Pick<Operations, 'listEvents' | 'streamEvents'>;
}

function eventQuery(query: RequestContext<'listEvents'>['query']): EventQuery {
  const { after, before, order, project, task, type, limit } = query;
  return {
    limit,
    newestFirst: order === 'newest',
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
    ...(project !== undefined && { project }),
    ...(task !== undefined && { task: taskIn(task) }),
    ...(type !== undefined && { types: type }),
  };
}
