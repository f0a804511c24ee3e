import {
  type Instant,
  type Numbered,
  nameOf,
  numberIn,
  type RunId,
  type TaskId,
  type ThreadId,
  type WorkerId,
} from '../../domain/ids.ts';
import type { Pause } from '../../domain/project.ts';

/** Times are rendered as UTC text. */
export function timeOf(at: Instant): string {
  return new Date(at).toISOString();
}

export function timeOrNull(at: Instant | null | undefined): string | null {
  return at === null || at === undefined ? null : timeOf(at);
}

export function pauseView(pause: Pause | null) {
  return pause && { since: timeOf(pause.since), by: pause.by, because: pause.because };
}

export function taskName(id: TaskId): string {
  return nameOf('task', id);
}

export function threadName(id: ThreadId): string {
  return nameOf('thread', id);
}

export function runName(id: RunId): string {
  return nameOf('run', id);
}

export function workerName(id: WorkerId): string {
  return nameOf('worker', id);
}

export function taskIn(name: string): TaskId {
  return idIn('task', name) as TaskId;
}

export function threadIn(name: string): ThreadId {
  return idIn('thread', name) as ThreadId;
}

export function runIn(name: string): RunId {
  return idIn('run', name) as RunId;
}

export function workerIn(name: string): WorkerId {
  return idIn('worker', name) as WorkerId;
}

/** Incoming ids were validated with the request; an invalid one here is a bug. */
function idIn(kind: Numbered, name: string): number {
  const id = numberIn(kind, name);
  if (id === undefined) throw new Error(`${name} passed validation but is not a ${kind}`);
  return id;
}
