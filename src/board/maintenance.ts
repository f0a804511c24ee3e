import { type Approval, isOpenApproval } from '../domain/approval.ts';
import { expireApproval } from '../domain/approving.ts';
import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import {
  type ApprovalId,
  type Duration,
  type Instant,
  nameOf,
  type WorkerId,
} from '../domain/ids.ts';
import { loseWorker, timeOutRun } from '../domain/lease.ts';
import type { Run } from '../domain/run.ts';
import { tick } from '../domain/timing.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { decisionId, LeadershipLost, type Store, StoreFailed } from '../ports/store.ts';
import type { Liveness } from './liveness.ts';
import { steadyTime } from './steady-time.ts';
import type { Writer } from './writer.ts';

export interface MaintenanceTimes {
  readonly lease: Duration;
  /** How often the hall runs its chores. */
  readonly tick: Duration;
  readonly keepAnswers: Duration;
  readonly keepLog: Duration;
  /** How long tool decisions are kept. */
  readonly keepDecisions: Duration;
  /** How long a person has to answer an approval. */
  readonly approval: Duration;
}

interface Needs {
  readonly writer: Writer;
  readonly liveness: Liveness;
  readonly store: Pick<Store, 'sweep'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: MaintenanceTimes;
}

const SWEEP_EVERY: Duration = 10 * 60_000;

/** How much of a run's working time a crash of the hall may lose. */
const FLUSH_EVERY: Duration = 15_000;

/** Runs the hall's chores until stopped. A chore that fails is retried at the next tick. */
export function runMaintenance(needs: Needs): { stop(): void } {
  const { clock, log, times } = needs;
  const flushes = every(clock, FLUSH_EVERY, () => flush(needs));
  const steady = steadyTime(clock);
  const sweeps = every(clock, SWEEP_EVERY, () => sweep(needs, steady()));
  let stopped = false;
  let timer = clock.after(times.tick, look);

  function look(): void {
    void runChores(needs)
      .then(flushes)
      .then(sweeps)
      .catch((fault: Error) => {
        if (fault instanceof LeadershipLost || fault instanceof StoreFailed) return;
        log.error('chore failed', { fault: fault.message });
      })
      .finally(() => {
        if (!stopped) timer = clock.after(times.tick, look);
      });
  }

  return {
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}

/** Runs a chore at a tick only when its period has passed. */
function every(clock: Clock, period: Duration, chore: () => Promise<unknown>) {
  let last = clock.monotonic();
  return async () => {
    if (clock.monotonic() - last < period) return;
    last = clock.monotonic();
    await chore();
  };
}

/** One look: due tasks, silent workers, runs past their limit. */
export async function runChores(needs: Omit<Needs, 'store' | 'log'>): Promise<void> {
  const { writer, liveness, times } = needs;
  const { board } = writer;
  liveness.look((run) => isWorking(board.runs.get(run)));
  const silent = [...board.workers.keys()].filter((worker) => isSilent(needs, worker));
  const late = [...board.runs.values()].filter((run) => isLate(run, liveness));
  const because = `silent for ${Math.round(times.lease / 1000)} s`;
  await Promise.all([
    writer.change({ meta: by('clock'), decide: tick }),
    ...silent.map((worker) =>
      writer.change({
        meta: by('silence'),
        decide: (now, at) =>
          isSilent(needs, worker) ? loseWorker(now, worker, because, at) : SPOKE_UP,
      }),
    ),
    ...liveness.overdue(openApprovals(board), times.approval).map((id) => expire(writer, id)),
    ...late.map(({ id }) =>
      writer.change({ meta: by('time limit'), decide: (now, at) => timeOutRun(now, id, at) }),
    ),
  ]);
}

/** The worker was seen between the look and the decision. */
const SPOKE_UP = decide<WorkerId>(0 as WorkerId, []);

/** A worker with an open long poll is alive, however long it waits. */
function isSilent(
  { writer, liveness, times }: Pick<Needs, 'writer' | 'liveness' | 'times'>,
  id: WorkerId,
) {
  return liveness.isSilent(id, times.lease) && !writer.waiters.includes(id);
}

/** Waiting for a person does not count as working. */
function isWorking(run: Run | undefined): boolean {
  return run !== undefined && run.startedAt !== null && run.awaitingApprovalSince === null;
}

function isLate(run: Run, liveness: Liveness): boolean {
  return liveness.worked(run.id) > run.limit;
}

function openApprovals({ approvals }: Board): readonly ApprovalId[] {
  return [...approvals.values()].filter(isOpenApproval).map(({ id }) => id);
}

/** An approval without an answer in time is denied. */
function expire(writer: Writer, id: ApprovalId) {
  return writer.change<Approval>({
    meta: by('approval timeout'),
    decide: (board, now) => expireApproval(board, id, now),
    decided: (approval, { at }) => [
      {
        ...{ id: decisionId(at, `${nameOf('approval', id)}-timeout`), at, verdict: 'deny' },
        ...{ run: approval.run, task: approval.task, project: approval.project, by: 'timeout' },
        ...{ tool: approval.tool, command: approval.command, cwd: approval.cwd, actor: null },
        ...{ rule: approval.rule, because: 'no person answered in time', approval: id },
        took: at - approval.askedAt,
      },
    ],
  });
}

async function flush({ writer }: Needs): Promise<void> {
  await writer.change({ meta: by('heartbeats'), decide: () => decide(true, []), flush: true });
}

/** Stored answers carry the steady time; transcripts, which people see, carry the wall clock. */
async function sweep({ store, clock, times }: Needs, steady: Instant): Promise<void> {
  const log = Math.min(clock.now(), steady) - times.keepLog;
  const decisions = Math.min(clock.now(), steady) - times.keepDecisions;
  await store.sweep({ responses: steady - times.keepAnswers, log, decisions });
}

function by(chore: string) {
  return { actor: 'hall', cause: `chore: ${chore}` };
}
