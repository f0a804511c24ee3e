import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { Name, ReasonBody, ThreadName } from './fields.ts';
import type { Route } from './route.ts';
import { Graph, SubmitReview, Thread, ThreadDetail, Threads, ThreadsQuery } from './threads.ts';

const tag = 'threads';
const params = z.strictObject({ id: ThreadName });
const changed = { 200: { description: 'As it is now', body: Thread } };

export const THREAD_ROUTES = {
  listThreads: {
    ...ENDPOINTS.listThreads,
    tag,
    summary: 'Threads, newest first',
    policy: 'viewer',
    query: ThreadsQuery,
    answers: { 200: { description: 'A page of threads', body: Threads } },
  },
  getThread: {
    ...ENDPOINTS.getThread,
    tag,
    summary: 'One thread with its tasks, children and notes',
    policy: 'viewer',
    params,
    answers: { 200: { description: 'The thread', body: ThreadDetail } },
  },
  handOverThread: {
    ...ENDPOINTS.handOverThread,
    tag,
    summary: 'A person takes the thread over: its runs stop and nothing in it starts',
    policy: 'operator',
    params,
    body: ReasonBody,
    answers: changed,
  },
  handBackThread: {
    ...ENDPOINTS.handBackThread,
    tag,
    summary: 'The agents go on with the thread',
    policy: 'operator',
    params,
    answers: changed,
  },
  markThreadMerged: {
    ...ENDPOINTS.markThreadMerged,
    tag,
    summary: 'Its pull request was merged; for halls that no forge tells so',
    policy: 'operator',
    params,
    answers: changed,
  },
  reviewThread: {
    ...ENDPOINTS.reviewThread,
    tag,
    summary: 'A person reviews its pull request where no forge takes reviews',
    policy: 'operator',
    params,
    body: SubmitReview,
    example: { verdict: 'changes_requested', text: 'Round to the nearest cent.' },
    answers: changed,
  },
  mergeThread: {
    ...ENDPOINTS.mergeThread,
    tag,
    summary: 'Merge its pull request as soon as it can be, where the hall itself is the forge',
    policy: 'operator',
    params,
    answers: changed,
  },
  closeThread: {
    ...ENDPOINTS.closeThread,
    tag,
    summary: 'Its pull request is not wanted: the thread ends without being done',
    policy: 'operator',
    params,
    answers: changed,
  },
  getGraph: {
    ...ENDPOINTS.getGraph,
    tag,
    summary: 'Open threads that depend on others or are parts of others',
    policy: 'viewer',
    query: z.strictObject({ project: Name.optional() }),
    answers: { 200: { description: 'The graph', body: Graph } },
  },
} as const satisfies Record<string, Route>;
