import type { THREAD_ROUTES } from '../../api/thread-routes.ts';
import type { Decide } from '../../board/command.ts';
import type { Hall } from '../../board/hall.ts';
import { recheck } from '../../domain/checking/recheck.ts';
import type { ThreadId } from '../../domain/ids.ts';
import { closePullRequest } from '../../domain/merging/closed.ts';
import { markMerged } from '../../domain/merging/merged.ts';
import { mergeWait } from '../../domain/merging/policy.ts';
import { requestMerge } from '../../domain/merging/request.ts';
import { handBack, handOver } from '../../domain/operator-actions.ts';
import { refuse } from '../../domain/refusal.ts';
import { review } from '../../domain/reviewing.ts';
import { knownPullRequest, type Thread } from '../../domain/thread.ts';
import { checkFilter } from '../../queries/check-filters.ts';
import { graphOf } from '../../queries/graph.ts';
import { threadDetail, threadSummary } from '../../queries/task-detail.ts';
import { threadIn, threadName } from '../../queries/views/ids-and-times.ts';
import { threadView } from '../../queries/views/thread.ts';
import { changeBoard } from '../board-access.ts';
import type { Operations, RequestContext } from '../request-context.ts';
import { invalid } from '../validate-request.ts';

type Move =
  | 'handOverThread'
  | 'handBackThread'
  | 'recheckThread'
  | 'markThreadMerged'
  | 'reviewThread'
  | 'mergeThread'
  | 'closeThread';

export function threadRoutes(hall: Hall) {
  const { board, store } = hall;

  async function move(
    context: Pick<RequestContext<Move>, 'params' | 'meta' | 'idempotencyKey'>,
    decide: Decide<ThreadId>,
    closed: ClosedAs = MERGED,
  ) {
    const id = threadIn(context.params.id);
    const [record] = await store.threadsById([id]);
    if (!record) return unknownThread(context.params.id);
    return changeBoard(hall, context, {
      decide,
      reply: () => {
        const thread = threadNow(record.thread, closed);
        return { status: 200, body: threadView(thread, record.title, mergeWait(board, thread)) };
      },
    });
  }

  /** The change may have closed the thread, which then is not among the open ones. */
  function threadNow(before: Thread, { thread, pr: last }: ClosedAs): Thread {
    const open = board.threads.get(before.id);
    if (open) return open;
    const { forge } = before;
    const known = knownPullRequest(forge.pr);
    const pr = known && { ...known, state: last };
    return { ...before, state: thread, forge: { ...forge, pr }, tasks: [] };
  }

  return {
    ...readingRoutes(hall),

    handOverThread: (context) => {
      const { because = null } = context.body;
      const handover = { thread: threadIn(context.params.id), because };
      return move(context, (now, at) => handOver(now, handover, at));
    },

    handBackThread: (context) =>
      move(context, (now, at) => handBack(now, threadIn(context.params.id), at)),

    recheckThread: (context) => move(context, (now) => recheck(now, threadIn(context.params.id))),

    reviewThread: (context) => {
      const { verdict: is, text } = context.body;
      const verdict = { thread: threadIn(context.params.id), is, text };
      return move(context, (now, at) => review(now, verdict, at));
    },

    closeThread: (context) =>
      move(context, (now) => closePullRequest(now, threadIn(context.params.id)), CLOSED),

    mergeThread: (context) =>
      move(context, (now, at) => requestMerge(now, threadIn(context.params.id), at)),

    markThreadMerged: (context) =>
      move(context, (now, at) => markMerged(now, threadIn(context.params.id), at)),
  } satisfies Pick<Operations, keyof typeof THREAD_ROUTES>;
}

interface ClosedAs {
  readonly thread: 'done' | 'ended';
  readonly pr: 'merged' | 'closed';
}

const MERGED: ClosedAs = { thread: 'done', pr: 'merged' };
const CLOSED: ClosedAs = { thread: 'ended', pr: 'closed' };

function readingRoutes(hall: Hall) {
  const { board, store } = hall;

  return {
    listThreads: async ({ query: { project, limit, ...query } }) => {
      const { rows, next } = await store.threads({
        limit,
        ...(project !== undefined && { project }),
        ...(query.after !== undefined && { before: threadIn(query.after) }),
      });
      const mistake = rows.length === 0 && invalid(checkFilter(board, { project }));
      const threads = rows.map((record) => threadSummary(hall, record));
      const after = next === undefined ? null : threadName(next as ThreadId);
      return mistake || { status: 200, body: { threads, next: after } };
    },

    getThread: async ({ params }) => {
      const detail = await threadDetail(hall, threadIn(params.id));
      return detail ? { status: 200, body: detail } : unknownThread(params.id);
    },

    getGraph: async ({ query }) =>
      invalid(checkFilter(board, query)) ?? {
        status: 200,
        body: await graphOf(hall, query.project),
      },
  } satisfies Pick<Operations, 'listThreads' | 'getThread' | 'getGraph'>;
}

function unknownThread(name: string) {
  return refuse('unknown_thread', `there is no thread ${name}`);
}
