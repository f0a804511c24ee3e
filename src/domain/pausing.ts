import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import type { HallEvent } from './event.ts';
import type { Pause } from './project.ts';
import { type Refusal, refuse } from './refusal.ts';

export type Pausable =
  | { readonly kind: 'hall' }
  | { readonly kind: 'project' | 'instance' | 'invoker'; readonly name: string };

/** The kill switch: nothing under it starts until it is resumed. Current runs continue. */
export function pause(
  board: Board,
  what: Pausable,
  because: string | null,
  now: Now,
): Decision<Pausable> {
  return setPause(board, what, { since: now.at, by: now.actor, because });
}

/** Also unparks an invoker that hit its provider's limit: the operator may know better. */
export function resume(board: Board, what: Pausable): Decision<Pausable> {
  return setPause(board, what, null);
}

function setPause(board: Board, what: Pausable, paused: Pause | null): Decision<Pausable> {
  const event = what.kind === 'hall' ? pauseHall(board, paused) : pauseNamed(board, what, paused);
  if (event && 'refused' in event) return refuseWith(event);
  return decide(what, event ? [event] : []);
}

function pauseHall({ hall }: Board, paused: Pause | null): HallEvent | undefined {
  if (paused) return { type: 'HallPaused', hall: { ...hall, paused } };
  if (!hall.paused && !hall.draining) return undefined;
  return { type: 'HallResumed', hall: { ...hall, paused: null, draining: null } };
}

function pauseNamed(
  board: Board,
  { kind, name }: Exclude<Pausable, { kind: 'hall' }>,
  paused: Pause | null,
): HallEvent | Refusal {
  switch (kind) {
    case 'project':
      if (!board.projects.has(name)) return unknownProject(name);
      return paused
        ? { type: 'ProjectPaused', project: name, pause: paused }
        : { type: 'ProjectResumed', project: name };
    case 'instance': {
      const instance = board.instances.get(name);
      if (!instance) return refuse('unknown_instance', `there is no instance ${name}`);
      return { type: 'InstanceSet', instance: { ...instance, paused } };
    }
    case 'invoker': {
      const invoker = board.invokers.get(name);
      if (!invoker) return refuse('unknown_invoker', `there is no invoker ${name}`);
      const parking = paused ? {} : { parkedUntil: null, parkedBecause: null };
      return { type: 'InvokerSet', invoker: { ...invoker, ...parking, paused } };
    }
  }
}

/** Starts no new runs. Once the current ones end, the hall can be stopped. */
export function drain(board: Board, because: string | null, now: Now): Decision<true> {
  if (board.hall.draining) return decide(true, []);
  const draining = { since: now.at, by: now.actor, because };
  return decide(true, [{ type: 'HallDraining', hall: { ...board.hall, draining } }]);
}

function unknownProject(name: string): Refusal {
  return refuse('unknown_project', `there is no project ${name}`);
}
