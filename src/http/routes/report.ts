import type { Change } from '../../board/command.ts';
import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import { isReplayed } from '../../board/replay-response.ts';
import { parseDependency } from '../../domain/dependencies/look-up.ts';
import type { TaskId, WorkerId } from '../../domain/ids.ts';
import type { Lease } from '../../domain/lease.ts';
import type { Redactor } from '../../domain/redaction.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { report } from '../../domain/reporting.ts';
import type { ClaimResponses } from '../../queries/claim-response.ts';
import { keysFor } from '../../queries/closed-work-keys.ts';
import { taskName } from '../../queries/views/ids-and-times.ts';
import { changeBoard, renderOnce } from '../board-access.ts';
import { leaseOf } from '../lease.ts';
import type { Operations, RequestContext } from '../request-context.ts';
import { claimedBy } from './claims.ts';
import { reportFrom, STATE_AFTER } from './parse-report.ts';

interface Needs {
  readonly hall: Hall;
  readonly answers: ClaimResponses;
  readonly redact: Redactor;
}

/** The final report of a run; with `next`, the same commit makes the next claim. */
export function reportRoute({ hall, answers, redact }: Needs) {
  return {
    reportRun: async (context) => {
      const lease = leaseOf(hall, context);
      const { summary, details, rejection, children } = context.body;
      const redacted = redact({ summary, details, rejection, children });
      const body = { ...context.body, ...redacted };
      const needed = context.body.children.flatMap((child) =>
        child.depends_on.map(parseDependency),
      );
      const changing = {
        ...(needed.length > 0 && { keys: await keysFor(hall, needed) }),
        decide: (board, now, recalled) =>
          report(board, lease, reportFrom(body, now.at), now, recalled),
        reply: (task: TaskId) => ({ status: 200 as const, body: reported(context, task) }),
      } satisfies Omit<Change<TaskId>, 'meta'> & { reply: unknown };
      return context.body.next === null
        ? changeBoard(hall, context, changing)
        : reportThenClaim(context, lease, changing);
    },
  } satisfies Pick<Operations, 'reportRun'>;

  async function reportThenClaim(
    context: RequestContext<'reportRun'>,
    lease: Lease,
    { reply, ...changing }: Omit<Change<TaskId>, 'meta'> & { reply: (task: TaskId) => Done },
  ) {
    const { writer, liveness } = requireLeading(hall);
    const known = lease.worker ?? hall.board.runs.get(lease.run)?.worker;
    const worker = known ?? (await workerOfEnded(lease));
    const wait = (context.body.next?.wait_seconds ?? 0) * 1000;
    const { once } = renderOnce(context, reply);
    const { changed, next } = writer.changeThenClaim(
      { ...changing, meta: context.meta, idempotency: once },
      { meta: context.meta, worker, wait },
    );
    const outcome = await changed;
    if (isRefusal(outcome)) return outcome;
    const pending = next();
    const claimed = pending && (await claimedBy(context, pending));
    if (claimed) liveness.heartbeat(worker);
    const claim = !claimed || isRefusal(claimed) ? undefined : await answers.answer(claimed);
    if (!isReplayed(outcome)) {
      return { status: 200 as const, body: { ...reply(outcome).body, next: claim ?? null } };
    }
    const { replayed } = outcome;
    const body = JSON.stringify({ ...JSON.parse(replayed.body), next: claim ?? null });
    return { replayed: { ...replayed, body } };
  }

  /** Only the store knows a run that has ended. */
  async function workerOfEnded({ run }: Lease): Promise<WorkerId> {
    return (await hall.store.run(run))?.worker ?? (0 as WorkerId);
  }
}

interface Done {
  readonly status: 200;
  readonly body: ReturnType<typeof reported>;
}

function reported({ body }: RequestContext<'reportRun'>, task: TaskId) {
  return { task: taskName(task), state: STATE_AFTER[body.outcome], next: null };
}
