import { isHallLabel } from './agent-name.ts';
import type { Board } from './board.ts';
import { type AgentType, allowedIn, type Instance } from './pool.ts';
import type { Route } from './ready-set.ts';
import type { Task } from './task.ts';
import { NO_LABELS, type Thread } from './thread.ts';

/** An instance that may take a route, and how many of the route's labels it matches. */
export interface EligibleInstance {
  readonly instance: string;
  readonly overlap: number;
  /** True when no instance matches and none is without labels, so any instance of the type may take it. */
  readonly lastResort: boolean;
}

export function routeOf(board: Board, task: Task, thread: Thread): Route {
  const { project, type, instance, labelWaitExpired } = task;
  return {
    project,
    type,
    instance,
    labels: decisiveLabels(board, type, thread.labels),
    labelWaitExpired,
  };
}

function decisiveLabels(board: Board, type: string, labels: readonly string[]): readonly string[] {
  const requested = board.requestedLabels.get(type);
  if (!requested || labels.length === 0) return NO_LABELS;
  const decisive = labels.filter((label) => requested.includes(label) && !isHallLabel(label));
  return decisive.length === 0 ? NO_LABELS : [...new Set(decisive)].sort();
}

/** The labels that instances of a type request, or undefined when there are none. */
export function requestedLabels(board: Board, type: string): readonly string[] | undefined {
  const requested = new Set<string>();
  for (const instance of board.instances.values()) {
    if (instance.type !== type) continue;
    for (const label of instance.settings.matchLabels) requested.add(label);
  }
  return requested.size === 0 ? undefined : [...requested].sort();
}

/**
 * Labels decide who takes a task, never the order. Instances with matching labels come first; if
 * none match, those without labels; if there are none of those, any instance of the type.
 */
export function eligibleInstances(board: Board, route: Route): readonly EligibleInstance[] {
  const known = board.eligible.get(route);
  if (known) return known;
  const takers = workOutTakers(board, route);
  board.eligible.set(route, takers);
  return takers;
}

function workOutTakers(board: Board, route: Route): readonly EligibleInstance[] {
  const pool = [...board.instances.values()].filter((instance) => belongs(instance, route));
  const ranked = pool.map((instance) => ({ instance, overlap: overlapOf(instance, route) }));
  const matching = ranked.filter(({ overlap }) => overlap > 0);
  const unlabelled = ranked.filter(({ instance }) => instance.settings.matchLabels.length === 0);

  if (route.instance !== null) return ranked.map(asTaker(false));
  if (matching.length > 0) {
    return [...matching, ...(route.labelWaitExpired ? unlabelled : [])].map(asTaker(false));
  }
  if (unlabelled.length > 0) return unlabelled.map(asTaker(false));
  return ranked.map(asTaker(true));
}

function belongs(instance: Instance, route: Route): boolean {
  if (!instance.settings.enabled || !allowedIn(instance, route.project)) return false;
  return route.instance === null ? instance.type === route.type : instance.name === route.instance;
}

function overlapOf({ settings }: Instance, { labels }: Route): number {
  return labels.filter((label) => settings.matchLabels.includes(label)).length;
}

function asTaker(lastResort: boolean) {
  return ({ instance, overlap }: { instance: Instance; overlap: number }): EligibleInstance => ({
    instance: instance.name,
    overlap,
    lastResort,
  });
}

/** The types of the enabled instances that may work in a project. */
export function typesUsedIn(board: Board, project: string): readonly AgentType[] {
  const used = [...board.instances.values()].filter(
    (instance) => instance.settings.enabled && allowedIn(instance, project),
  );
  const names = new Set(used.map(({ type }) => type));
  return [...board.types.values()].filter(({ name }) => names.has(name));
}
