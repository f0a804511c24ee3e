import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import type { HallEvent } from './event.ts';
import type { Declared, Pause, Project, ProjectSettings } from './project.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Role, Token } from './token.ts';

export function addProject(
  board: Board,
  { name, settings }: { readonly name: string; readonly settings: ProjectSettings },
  now: Now,
): Decision<string> {
  const taken = board.projects.get(name);
  if (taken)
    return refuseWith(taken.declared ? declared('project', taken) : nameTaken('project', name));
  const project: Project = { name, settings, declared: null, paused: null, addedAt: now.at };
  return decide(name, [{ type: 'ProjectSet', project }]);
}

export function changeProject(
  board: Board,
  { name, change }: { readonly name: string; readonly change: Partial<ProjectSettings> },
): Decision<string> {
  const project = board.projects.get(name);
  if (!project) return refuseWith(unknownProject(name));
  if (project.declared) return refuseWith(declared('project', project));
  const settings = { ...project.settings, ...change };
  return decide(name, [{ type: 'ProjectSet', project: { ...project, settings } }]);
}

export function removeProject(board: Board, name: string): Decision<string> {
  const project = board.projects.get(name);
  if (!project) return refuseWith(unknownProject(name));
  if (project.declared) return refuseWith(declared('project', project));
  const open = board.openIn.get(name) ?? 0;
  if (open > 0) {
    const tasks = open === 1 ? 'an open task; cancel it' : `${open} open tasks; cancel them`;
    const because = `${name} has ${tasks} or pause the project`;
    return refuseWith(refuse('project_has_open_tasks', because));
  }
  return decide(name, [{ type: 'ProjectRemoved', project: name }]);
}

function unknownProject(name: string): Refusal {
  return refuse('unknown_project', `there is no project ${name}`);
}

function nameTaken(kind: string, name: string): Refusal {
  return refuse('name_taken', `there is already a ${kind} named ${name}`);
}

/** The file owns what it declares, so the refusal names the line to change. */
function declared(
  kind: string,
  { name, declared: at }: { name: string; declared: Declared | null },
) {
  const place = at ? `${at.file}:${at.line}` : 'the configuration file';
  return refuse('declared_in_file', `${kind} ${name} is declared in ${place}; change it there`);
}

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

/** The actor name of the token in the data folder. */
const OWN_TOKEN = 'local';

export function createToken(
  board: Board,
  { name, role, hash }: { readonly name: string; readonly role: Role; readonly hash: string },
  now: Now,
): Decision<Token> {
  if (board.tokens.has(name) || name === OWN_TOKEN) return refuseWith(nameTaken('token', name));
  const token: Token = { name, role, hash, createdAt: now.at, createdBy: now.actor };
  return decide(token, [{ type: 'TokenCreated', token }]);
}

export function revokeToken(board: Board, name: string): Decision<string> {
  if (!board.tokens.has(name))
    return refuseWith(refuse('unknown_token', `there is no token ${name}`));
  return decide(name, [{ type: 'TokenRevoked', token: name }]);
}
