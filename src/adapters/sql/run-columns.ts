import type { RunId, TaskId, ThreadId, WorkerId } from '../../domain/ids.ts';
import type { Note } from '../../domain/row.ts';
import { NO_USAGE, type Run } from '../../domain/run.ts';
import type { Worker } from '../../domain/worker.ts';
import type { Heartbeat } from '../../ports/store.ts';

/** The columns in the order of `TABLES`. */
export type RunCells = readonly [
  id: number,
  task: number,
  worker: number,
  project: string,
  ended: number,
  facts: string,
];
export type WorkerCells = readonly [id: number, deregistered: number, facts: string];
export type HeartbeatCells = readonly [worker: number, lastSeen: number, worked: number];
export type NoteCells = readonly [seq: number, thread: number, facts: string];

/** Fields that a newly claimed run lacks. */
type Later = Pick<
  Run,
  'committed' | 'startedAt' | 'awaitingApprovalSince' | 'overTargetSince' | 'usage' | 'ending'
>;
type RunFacts = Omit<Run, 'id' | 'task' | 'worker' | 'project' | keyof Later> & Partial<Later>;

const JUST_CLAIMED: Later = {
  committed: false,
  startedAt: null,
  awaitingApprovalSince: null,
  overTargetSince: null,
  usage: NO_USAGE,
  ending: null,
};

export function runCells({ id, task, worker, project, ...more }: Run): RunCells {
  const { committed, startedAt, awaitingApprovalSince, overTargetSince, usage, ending, ...always } =
    more;
  const facts: RunFacts = {
    ...always,
    ...(committed && { committed }),
    ...(startedAt !== null && { startedAt }),
    ...(awaitingApprovalSince !== null && { awaitingApprovalSince }),
    ...(overTargetSince !== null && { overTargetSince }),
    ...(usage !== NO_USAGE && JSON.stringify(usage) !== NOTHING_USED && { usage }),
    ...(ending !== null && { ending }),
  };
  return [id, task, worker, project, ending === null ? 0 : 1, JSON.stringify(facts)];
}

const NOTHING_USED = JSON.stringify(NO_USAGE);

export function runFrom([id, task, worker, project, , text]: RunCells): Run {
  const facts: RunFacts = JSON.parse(text);
  return {
    ...JUST_CLAIMED,
    ...facts,
    id: id as RunId,
    task: task as TaskId,
    worker: worker as WorkerId,
    project,
  };
}

export function workerCells({ id, ...facts }: Worker): WorkerCells {
  return [id, facts.deregistered === null ? 0 : 1, JSON.stringify(facts)];
}

export function workerFrom([id, , text]: WorkerCells): Worker {
  const facts: Omit<Worker, 'id'> = JSON.parse(text);
  return { ...facts, id: id as WorkerId };
}

/** The hall's monotonic clock has fractions of milliseconds, the tables only whole ones. */
export function heartbeatCells({ worker, lastSeen, worked }: Heartbeat): HeartbeatCells {
  return [worker, Math.round(lastSeen), Math.round(worked)];
}

export function heartbeatFrom([worker, lastSeen, worked]: HeartbeatCells): Heartbeat {
  return { worker: worker as WorkerId, lastSeen, worked };
}

export function noteCells({ seq, thread, ...facts }: Note): NoteCells {
  return [seq, thread, JSON.stringify(facts)];
}

export function noteFrom([seq, thread, text]: NoteCells): Note {
  const facts: Omit<Note, 'seq' | 'thread'> = JSON.parse(text);
  return { ...facts, seq, thread: thread as ThreadId };
}
