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

const apiIndex = { 200: { description: 'Where things are', body: ApiIndex } };

export const OVERVIEW_ROUTES = {
  getRoot: {
    ...ENDPOINTS.getRoot,
    tag,
    summary: 'Where things are',
    policy: 'viewer_or_worker',
    answers: apiIndex,
  },
  getApiRoot: {
    ...ENDPOINTS.getApiRoot,
    tag,
    summary: 'Where things are',
    policy: 'viewer_or_worker',
    answers: apiIndex,
  },
  getBoard: {
    ...ENDPOINTS.getBoard,
    tag,
    summary: 'Projects, active workers, tasks and completed work; `at` shows the past',
    policy: 'viewer',
    query: BoardQuery,
    answers: { 200: { description: 'The board', body: Board } },
  },
  listEvents: {
    ...ENDPOINTS.listEvents,
    tag,
    summary: 'The history: every change with its time, actor and cause',
    policy: 'viewer',
    query: EventsQuery,
    answers: { 200: { description: 'A page of events', body: Events } },
  },
  streamEvents: {
    ...ENDPOINTS.streamEvents,
    tag,
    summary: 'Events as they happen (SSE); goes on after `Last-Event-ID` without loss',
    policy: 'viewer',
    query: StreamQuery,
    answers: {
      200: { description: 'A stream of events', body: z.string(), mediaType: 'text/event-stream' },
    },
  },
  getStats: {
    ...ENDPOINTS.getStats,
    tag,
    summary: 'How much was completed, failed and rejected, and for which reasons',
    policy: 'viewer',
    answers: { 200: { description: 'The statistics', body: Stats } },
  },
  getUsage: {
    ...ENDPOINTS.getUsage,
    tag,
    summary: 'Credits spent this week, and what the present runs use',
    policy: 'viewer',
    answers: { 200: { description: 'The usage', body: UsageSummary } },
  },
  getHealth: {
    ...ENDPOINTS.getHealth,
    tag,
    summary: 'Every component of the hall, and what is the matter with it',
    policy: 'viewer',
    answers: { 200: { description: 'The health', body: Health } },
  },
  getLiveness: {
    ...ENDPOINTS.getLiveness,
    tag,
    summary: 'Is the process up?',
    policy: 'anyone',
    answers: { 200: { description: 'It is', body: ProbeResult, example: { status: 'up' } } },
  },
  getReadiness: {
    ...ENDPOINTS.getReadiness,
    tag,
    summary: 'Can the hall take requests?',
    policy: 'anyone',
    answers: {
      200: { description: 'It can', body: ProbeResult, example: { status: 'up' } },
      503: { description: 'It cannot', body: ProbeResult, example: { status: 'down' } },
    },
  },
  getMetrics: {
    ...ENDPOINTS.getMetrics,
    tag,
    summary: 'Figures for Prometheus',
    policy: 'viewer',
    answers: { 200: { description: 'Metrics', body: z.string(), mediaType: 'text/plain' } },
  },
  getOpenApi: {
    ...ENDPOINTS.getOpenApi,
    tag,
    summary: 'This description',
    policy: 'viewer_or_worker',
    answers: {
      200: { description: 'An OpenAPI document', body: z.record(z.string(), z.unknown()) },
    },
  },
} as const satisfies Record<string, Route>;
