import type { Board } from './board.ts';
import { type Decision, decide, type Now } from './decision.ts';
import type { HallEvent } from './event.ts';
import type { ConnectedForge } from './forge/connected-forges.ts';
import { operatorCommand } from './operator-command.ts';
import type { Persona, PersonaSettings } from './persona.ts';
import {
  type AgentType,
  DEFAULT_INSTANCE_SETTINGS,
  defaultInstance,
  type TypeSettings,
} from './pool.ts';
import type { Declared, Project, ProjectSettings } from './project.ts';
import type { Invoker, InvokerSettings } from './quota.ts';
import { haveSameValues } from './same-values.ts';

/** The contents of the configuration file. */
export interface Declaration {
  readonly projects: readonly Entry<ProjectSettings>[];
  readonly types: readonly Entry<TypeSettings>[];
  readonly invokers: readonly Entry<InvokerSettings>[];
  readonly forges: readonly ConnectedForge[];
  /** Null while their file has mistakes: the board keeps those that it has. */
  readonly personas: readonly Entry<PersonaSettings>[] | null;
}

export interface Entry<S> {
  readonly name: string;
  readonly settings: S;
  /** Null for the product's own defaults, used when the file says nothing. */
  readonly declared: Declared | null;
}

const LEFT_THE_FILE = 'it left the configuration file with open tasks';
const LEFT_WHILE_PAYING = 'it left the configuration file';

/** Applies the file to the board. Entries that left it are removed, or paused while they have open work. */
export function declare(board: Board, declaration: Declaration, now: Now): Decision<number> {
  const events = [
    ...declareForges(board, declaration.forges),
    ...declaration.types.flatMap((entry) => declareType(board, entry)),
    ...declaration.projects.flatMap((entry) => declareProject(board, entry, now)),
    ...declaration.invokers.flatMap((entry) => declareInvoker(board, entry)),
    ...declarePersonas(board, declaration.personas),
    ...leftProjects(board, declaration, now),
    ...leftInvokers(board, declaration, now),
    ...leftTypes(board, declaration),
    ...seeds(board, declaration, now),
  ];
  return decide(events.length, events);
}

function declareForges(board: Board, forges: readonly ConnectedForge[]): readonly HallEvent[] {
  const names = new Set(forges.map(({ name }) => name));
  const left = [...board.forges.keys()].filter((name) => !names.has(name));
  return [
    ...forges
      .filter((forge) => !isSame(board.forges.get(forge.name), forge))
      .map((forge): HallEvent => ({ type: 'ForgeConnected', forge })),
    ...left.map((forge): HallEvent => ({ type: 'ForgeDisconnected', forge })),
  ];
}

function declareProject(
  board: Board,
  { name, settings, declared }: Entry<ProjectSettings>,
  now: Now,
): readonly HallEvent[] {
  const before = board.projects.get(name);
  const isBack = before?.paused?.because?.startsWith(LEFT_THE_FILE);
  const paused = isBack ? null : (before?.paused ?? null);
  const project: Project = { name, settings, declared, paused, addedAt: before?.addedAt ?? now.at };
  return isSame(before, project) ? [] : [{ type: 'ProjectSet', project }];
}

function declareType(
  board: Board,
  { name, settings, declared }: Entry<TypeSettings>,
): readonly HallEvent[] {
  const agentType: AgentType = { name, settings, declared };
  return isSame(board.types.get(name), agentType) ? [] : [{ type: 'TypeSet', agentType }];
}

function declareInvoker(
  board: Board,
  { name, settings, declared }: Entry<InvokerSettings>,
): readonly HallEvent[] {
  const before = board.invokers.get(name);
  const invoker: Invoker = {
    paused: null,
    parkedUntil: null,
    parkedBecause: null,
    used: 0,
    reserved: 0,
    lastUsed: 0,
    ...before,
    ...(before?.paused?.because === LEFT_WHILE_PAYING && { paused: null }),
    handle: name,
    settings,
    declared,
  };
  return isSame(before, invoker) ? [] : [{ type: 'InvokerSet', invoker }];
}

/** Compares facts as text: they are plain values, always written in the same order. */
function isSame(before: object | undefined, after: object): boolean {
  return before !== undefined && haveSameValues(before, after);
}

/** A project that leaves the file with open tasks then belongs to the database; an operator removes it. */
function leftProjects(board: Board, declaration: Declaration, now: Now): readonly HallEvent[] {
  const declaredNames = new Set(declaration.projects.map((entry) => entry.name));
  const removed = [...board.projects.values()].filter(
    (p) => p.declared && !declaredNames.has(p.name),
  );
  return removed.map((project): HallEvent => {
    const { name } = project;
    if ((board.openIn.get(name) ?? 0) === 0) return { type: 'ProjectRemoved', project: name };
    const because = `${LEFT_THE_FILE}; once those tasks have ended, remove it with: ${operatorCommand('project remove', name)}`;
    const paused = project.paused ?? { since: now.at, by: now.actor, because };
    return { type: 'ProjectSet', project: { ...project, declared: null, paused } };
  });
}

function leftInvokers(board: Board, declaration: Declaration, now: Now): readonly HallEvent[] {
  const declaredNames = new Set(declaration.invokers.map((entry) => entry.name));
  const removed = [...board.invokers.values()].filter(
    (i) => i.declared && !declaredNames.has(i.handle),
  );
  return removed.flatMap((invoker): HallEvent[] => {
    if (invoker.reserved === 0) return [{ type: 'InvokerRemoved', invoker: invoker.handle }];
    if (invoker.paused) return [];
    const paused = { since: now.at, by: now.actor, because: LEFT_WHILE_PAYING };
    return [{ type: 'InvokerSet', invoker: { ...invoker, paused } }];
  });
}

/** Keeps a type that still has instances: they would be left without a type. */
function leftTypes(board: Board, declaration: Declaration): readonly HallEvent[] {
  const declaredNames = new Set(declaration.types.map((entry) => entry.name));
  const used = new Set([...board.instances.values()].map((instance) => instance.type));
  return [...board.types.keys()]
    .filter((name) => !declaredNames.has(name) && !used.has(name))
    .map((name) => ({ type: 'TypeRemoved', agentType: name }));
}

/** The catalog of personas also changes by itself while the hall runs. */
export function declarePersonas(
  board: Board,
  personas: Declaration['personas'],
): readonly HallEvent[] {
  if (personas === null) return [];
  const set = personas.flatMap(({ name: slug, settings, declared }): HallEvent[] => {
    const persona: Persona = { slug, settings, declared, retired: false };
    return isSame(board.personas.get(slug), persona) ? [] : [{ type: 'PersonaSet', persona }];
  });
  const names = new Set(personas.map(({ name }) => name));
  const left = [...board.personas.values()].filter(({ slug }) => !names.has(slug));
  return [...set, ...left.flatMap((persona) => retire(board, persona))];
}

/** Open threads keep the tools and limits of the persona they are bound to. */
function retire(board: Board, persona: Persona): readonly HallEvent[] {
  const { slug, retired } = persona;
  const isBound = ({ agent }: { readonly agent: string | null }) => agent === slug;
  if (![...board.threads.values(), ...board.tasks.values()].some(isBound)) {
    return [{ type: 'PersonaRemoved', persona: slug }];
  }
  return retired ? [] : [{ type: 'PersonaSet', persona: { ...persona, retired: true } }];
}

/** A pool that never had a member gets one instance of each type, without a limit of its own. */
function seeds(board: Board, declaration: Declaration, now: Now): readonly HallEvent[] {
  if (board.instances.size > 0) return [];
  return declaration.types.map(({ name }) => ({
    type: 'InstanceSet',
    instance: {
      name: defaultInstance(name),
      type: name,
      settings: { ...DEFAULT_INSTANCE_SETTINGS, parallel: 0 },
      paused: null,
      addedAt: now.at,
      changedAt: now.at,
    },
  }));
}
