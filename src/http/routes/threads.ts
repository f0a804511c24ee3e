import type { THREAD_ROUTES } from '../../api/thread-routes.ts';
import type { Decide } from '../../board/command.ts';
import type { Hall } from '../../board/hall.ts';
import type { ThreadId } from '../../domain/ids.ts';
import { closePullRequest } from '../../domain/merging/closed.ts';
import { markMerged } from '../../domain/merging/merged.ts';
import { mergeWait } from '../../domain/merging/policy.ts';
import { requestMerge } from '../../domain/merging/request.ts';
import { handBack, handOver } from '../../domain/operator-actions.ts';
import { refuse } from '../../domain/refusal.ts';
import { review } from '../../domain/reviewing.ts';
import type { Thread } from '../../domain/thread.ts';
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
  | 'markThreadMerged'
  | 'reviewThread'
  | 'mergeThread'
  | 'closeThread';

export function threadRoutes(hall: Hall) {
  const { board, store } = hall;

  async function move(
    ask: Pick<RequestContext<Move>, 'params' | 'meta' | 'idempotencyKey'>,
    decide: Decide<ThreadId>,
    closed: ClosedAs = MERGED,
  ) {
    const id = threadIn(ask.params.id);
    const [record] = await store.threadsById([id]);
    if (!record) return unknownThread(ask.params.id);
    return changeBoard(hall, ask, {
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
    const pr = forge.pr && { ...forge.pr, state: last };
    return { ...before, state: thread, forge: { ...forge, pr }, tasks: [] };
  }

  return {
    ...readingRoutes(hall),

    handOverThread: (ask) => {
      const asked = { thread: threadIn(ask.params.id), because: ask.body.because ?? null };
      return move(ask, (now, at) => handOver(now, asked, at));
    },

    handBackThread: (ask) => move(ask, (now, at) => handBack(now, threadIn(ask.params.id), at)),

    reviewThread: (ask) => {
      const { verdict: is, text } = ask.body;
      const said = { thread: threadIn(ask.params.id), is, text };
      return move(ask, (now, at) => review(now, said, at));
    },

    closeThread: (ask) =>
      move(ask, (now) => closePullRequest(now, threadIn(ask.params.id)), DROPPED),

    mergeThread: (ask) => move(ask, (now, at) => requestMerge(now, threadIn(ask.params.id), at)),

    markThreadMerged: (ask) => move(ask, (now, at) => markMerged(now, threadIn(ask.params.id), at)),
  } satisfies Pick<Operations, keyof typeof THREAD_ROUTES>;
}

interface ClosedAs {
  readonly thread: 'done' | 'ended';
  readonly pr: 'merged' | 'closed';
}

const MERGED: ClosedAs = { thread: 'done', pr: 'merged' };
const DROPPED: ClosedAs = { thread: 'ended', pr: 'closed' };

function readingRoutes(hall: Hall) {
  const { board, store } = hall;

  return {
    listThreads: async ({ query: { project, limit, ...query } }) => {
      const { rows, next } = await store.threads({
        limit,
        ...(project !== undefined && { project }),
        ...(query.after !== undefined && { before: threadIn(query.after) }),
      });
      const strange = rows.length === 0 && invalid(checkFilter(board, { project }));
      const threads = rows.map((record) => threadSummary(hall, record));
      const after = next === undefined ? null : threadName(next as ThreadId);
      return strange || { status: 200, body: { threads, next: after } };
    },

    getThread: async ({ params }) => {
      const whole = await threadDetail(hall, threadIn(params.id));
      return whole ? { status: 200, body: whole } : unknownThread(params.id);
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
