import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { Name, ReasonBody, ThreadName } from './fields.ts';
import type { Route } from './route.ts';
import { Graph, SubmitReview, Thread, ThreadDetail, Threads, ThreadsQuery } from './threads.ts';

const tag = 'threads';
const params = z.strictObject({ id: ThreadName });
const changed = { 200: { description: 'The thread after the change', body: Thread } };

export const THREAD_ROUTES = {
  listThreads: {
    ...ENDPOINTS.listThreads,
    tag,
    summary: 'List threads, newest first',
    policy: 'viewer',
    query: ThreadsQuery,
    answers: { 200: { description: 'A page of threads', body: Threads } },
  },
  getThread: {
    ...ENDPOINTS.getThread,
    tag,
    summary: 'Get a thread with its tasks, children and notes',
    policy: 'viewer',
    params,
    answers: { 200: { description: 'The thread', body: ThreadDetail } },
  },
  handOverThread: {
    ...ENDPOINTS.handOverThread,
    tag,
    summary: 'Hand a thread over to a person: its runs stop and no new ones start',
    policy: 'operator',
    params,
    body: ReasonBody,
    answers: changed,
  },
  handBackThread: {
    ...ENDPOINTS.handBackThread,
    tag,
    summary: 'Hand a thread back to the agents',
    policy: 'operator',
    params,
    answers: changed,
  },
  recheckThread: {
    ...ENDPOINTS.recheckThread,
    tag,
    summary: 'Run the checks of a pull request again, where the hall itself is the forge',
    policy: 'operator',
    params,
    answers: changed,
  },
  markThreadMerged: {
    ...ENDPOINTS.markThreadMerged,
    tag,
    summary: 'Mark the pull request of a thread as merged, for halls that no forge reports to',
    policy: 'operator',
    params,
    answers: changed,
  },
  reviewThread: {
    ...ENDPOINTS.reviewThread,
    tag,
    summary: "Submit a person's review of a pull request, where the hall itself is the forge",
    policy: 'operator',
    params,
    body: SubmitReview,
    example: { verdict: 'changes_requested', text: 'Round to the nearest cent.' },
    answers: changed,
  },
  mergeThread: {
    ...ENDPOINTS.mergeThread,
    tag,
    summary: 'Merge a pull request as soon as it is ready, where the hall itself is the forge',
    policy: 'operator',
    params,
    answers: changed,
  },
  closeThread: {
    ...ENDPOINTS.closeThread,
    tag,
    summary: 'Close a pull request without merging it; its thread ends without being done',
    policy: 'operator',
    params,
    answers: changed,
  },
  getGraph: {
    ...ENDPOINTS.getGraph,
    tag,
    summary: 'Get the graph of open threads that depend on others or are parts of others',
    policy: 'viewer',
    query: z.strictObject({ project: Name.optional() }),
    answers: { 200: { description: 'The graph', body: Graph } },
  },
} as const satisfies Record<string, Route>;
