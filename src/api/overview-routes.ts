import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import {
  ApiIndex,
  Board,
  BoardQuery,
  Events,
  EventsQuery,
  Health,
  ProbeResult,
  Stats,
  StreamQuery,
  UsageSummary,
} from './overview.ts';
import type { Route } from './route.ts';

const tag = 'seeing';

const apiIndex = { 200: { description: 'The index', body: ApiIndex } };

export const OVERVIEW_ROUTES = {
  getRoot: {
    ...ENDPOINTS.getRoot,
    tag,
    summary: 'Get the index of the API',
    policy: 'viewer_or_worker',
    answers: apiIndex,
  },
  getApiRoot: {
    ...ENDPOINTS.getApiRoot,
    tag,
    summary: 'Get the index of the API',
    policy: 'viewer_or_worker',
    answers: apiIndex,
  },
  getBoard: {
    ...ENDPOINTS.getBoard,
    tag,
    summary: 'Get the board: projects, workers and task counts, now or `at` a past time',
    policy: 'viewer',
    query: BoardQuery,
    answers: { 200: { description: 'The board', body: Board } },
  },
  listEvents: {
    ...ENDPOINTS.listEvents,
    tag,
    summary: 'List events: every change with its time, actor and cause',
    policy: 'viewer',
    query: EventsQuery,
    answers: { 200: { description: 'A page of events', body: Events } },
  },
  streamEvents: {
    ...ENDPOINTS.streamEvents,
    tag,
    summary: 'Stream events as they happen (SSE); resumes after `Last-Event-ID` without loss',
    policy: 'viewer',
    query: StreamQuery,
    answers: {
      200: { description: 'A stream of events', body: z.string(), mediaType: 'text/event-stream' },
    },
  },
  getStats: {
    ...ENDPOINTS.getStats,
    tag,
    summary:
      'Count completed, failed, rejected and cancelled tasks, with the reasons for rejection',
    policy: 'viewer',
    answers: { 200: { description: 'The statistics', body: Stats } },
  },
  getUsage: {
    ...ENDPOINTS.getUsage,
    tag,
    summary: 'Get the credits spent this week and the usage of active runs',
    policy: 'viewer',
    answers: { 200: { description: 'The usage', body: UsageSummary } },
  },
  getHealth: {
    ...ENDPOINTS.getHealth,
    tag,
    summary: 'Get the health of every component of the hall',
    policy: 'viewer',
    answers: { 200: { description: 'The health', body: Health } },
  },
  getLiveness: {
    ...ENDPOINTS.getLiveness,
    tag,
    summary: 'Check that the process is up',
    policy: 'anyone',
    answers: {
      200: { description: 'The process is up', body: ProbeResult, example: { status: 'up' } },
    },
  },
  getReadiness: {
    ...ENDPOINTS.getReadiness,
    tag,
    summary: 'Check that the hall can serve requests',
    policy: 'anyone',
    answers: {
      200: { description: 'The hall is ready', body: ProbeResult, example: { status: 'up' } },
      503: {
        description: 'The hall is not ready',
        body: ProbeResult,
        example: { status: 'down', because: 'no leader: writes are refused' },
      },
    },
  },
  getMetrics: {
    ...ENDPOINTS.getMetrics,
    tag,
    summary: 'Get metrics for Prometheus',
    policy: 'viewer',
    answers: { 200: { description: 'Metrics', body: z.string(), mediaType: 'text/plain' } },
  },
  getOpenApi: {
    ...ENDPOINTS.getOpenApi,
    tag,
    summary: 'Get this description of the API',
    policy: 'viewer_or_worker',
    answers: {
      200: { description: 'An OpenAPI document', body: z.record(z.string(), z.unknown()) },
    },
  },
} as const satisfies Record<string, Route>;
