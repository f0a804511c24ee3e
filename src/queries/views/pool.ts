import type { Agent, Invoker as InvokerOut } from '../../api/pool.ts';
import type { Worker as WorkerOut } from '../../api/workers.ts';
import type { Board } from '../../domain/board.ts';
import type { Instant, WorkerId } from '../../domain/ids.ts';
import type { Instance } from '../../domain/pool.ts';
import type { Invoker } from '../../domain/quota.ts';
import type { Run } from '../../domain/run.ts';
import type { Worker } from '../../domain/worker.ts';
import { pauseView, runName, taskName, timeOf, timeOrNull, workerName } from './ids-and-times.ts';

/** What a node knows about workers beyond the board. */
export interface WorkerLiveness {
  lastSeen(worker: WorkerId): Instant | undefined;
  isWaiting(worker: WorkerId): boolean;
}

/** For a past time only the board is known. */
export const UNKNOWN_LIVENESS: WorkerLiveness = {
  lastSeen: () => undefined,
  isWaiting: () => false,
};

export function workerView(board: Board, worker: Worker, liveness: WorkerLiveness): WorkerOut {
  const id = board.runOf.get(worker.id);
  const run = id === undefined ? undefined : board.runs.get(id);
  return {
    id: workerName(worker.id),
    instance: worker.instance,
    projects: worker.projects && [...worker.projects],
    brings_model: worker.bringsModel,
    host: worker.host,
    cells: worker.cells ? { kind: worker.cells.kind, gaps: [...worker.cells.gaps] } : null,
    draining: worker.draining,
    registered_at: timeOf(worker.registeredAt),
    last_seen: timeOrNull(liveness.lastSeen(worker.id)),
    waiting: liveness.isWaiting(worker.id),
    run: run ? heldRun(run) : null,
  };
}

function heldRun(run: Run): WorkerOut['run'] {
  return {
    id: runName(run.id),
    task: taskName(run.task),
    project: run.project,
    over_target_since: timeOrNull(run.overTargetSince),
  };
}

export function agentView(board: Board, instance: Instance): Agent {
  const { settings } = instance;
  return {
    name: instance.name,
    type: instance.type,
    model: settings.model ?? board.types.get(instance.type)?.settings.model ?? null,
    prompt_appendix: settings.promptAppendix,
    match_labels: [...settings.matchLabels],
    notes: settings.notes,
    enabled: settings.enabled,
    projects: settings.projects && [...settings.projects],
    parallel: settings.parallel,
    paused: pauseView(instance.paused),
    added_at: timeOf(instance.addedAt),
    changed_at: timeOf(instance.changedAt),
    running: board.runningAs.get(instance.name) ?? 0,
    workers: [...board.workers.values()].filter((worker) => worker.instance === instance.name)
      .length,
  };
}

export function invokerView(invoker: Invoker): InvokerOut {
  return {
    handle: invoker.handle,
    weekly_cap: invoker.settings.weeklyCap,
    used: invoker.used,
    reserved: invoker.reserved,
    projects: invoker.settings.projects && [...invoker.settings.projects],
    paused: pauseView(invoker.paused),
    parked_until: timeOrNull(invoker.parkedUntil),
    parked_because: invoker.parkedBecause ?? null,
    credential_fault: invoker.credentialFault ?? null,
    last_used: invoker.lastUsed === 0 ? null : timeOf(invoker.lastUsed),
  };
}
