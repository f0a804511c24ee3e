import type { Board } from './board.ts';
import { creditRule, hallRule, instanceRule, projectRule } from './claim-rules.ts';
import { isFollowed } from './forge/connected-forges.ts';
import type { Instance } from './pool.ts';
import type { Project } from './project.ts';
import type { Route } from './ready-set.ts';
import { isRefusal } from './refusal.ts';
import { eligibleInstances } from './routing.ts';

/** Workers that could take a task now, per instance: those waiting and those starting up. */
type AvailableWorkers = ReadonlyMap<string, number>;

/**
 * The instances to start workers for, once per missing worker: a task could start now, its project
 * has a free slot and a payer, and no eligible worker is waiting.
 */
export function missingWorkers(
  board: Board,
  available: AvailableWorkers,
  most: number,
  isUnable: (instance: string, project: string) => boolean = () => false,
): readonly string[] {
  if (hallRule(board)) return [];
  const free = new Map(available);
  const coming = new Map<string, number>();
  const missing: string[] = [];
  for (const project of staffedProjects(board)) {
    if (projectRule(board, project)) continue;
    let slots = project.settings.maxWorkers - (board.runningIn.get(project.name) ?? 0);
    for (const { route, waiting } of board.ready.bucketsOf(project.name)) {
      for (let left = Math.min(waiting.size, slots); left > 0; left -= 1) {
        const isAbleHere = (instance: string) => !isUnable(instance, project.name);
        const taker = takerFor(board, route, { free, coming, isAbleHere });
        if (!taker) break;
        slots -= 1;
        if (taker.isHere) continue;
        if (missing.length >= most) return missing;
        missing.push(taker.instance);
      }
    }
  }
  return missing;
}

/** The projects in which the hall's own workers can work: the hall must reach the repository. */
export function staffedProjects(board: Board): readonly Project[] {
  return [...board.projects.values()].filter((project) => isFollowed(board, project));
}

interface Choice {
  readonly free: Map<string, number>;
  readonly coming: Map<string, number>;
  readonly isAbleHere: (instance: string) => boolean;
}

/** The best instance for the route: by labels first, then one with a waiting worker. */
function takerFor(board: Board, route: Route, { free, coming, isAbleHere }: Choice) {
  const able = eligibleInstances(board, route)
    .filter(({ instance }) => isAbleHere(instance))
    .filter(({ instance }) => isAble(board, instance, coming.get(instance) ?? 0))
    .filter(({ instance }) => isPaidFor(board, route.project, instance))
    .toSorted((a, b) => b.overlap - a.overlap);
  const best = able.filter(({ overlap }) => overlap === able[0]?.overlap);
  const here = best.find(({ instance }) => (free.get(instance) ?? 0) > 0);
  const chosen = here ?? best[0];
  if (!chosen) return undefined;
  const { instance } = chosen;
  coming.set(instance, (coming.get(instance) ?? 0) + 1);
  if (here) free.set(instance, (free.get(instance) ?? 0) - 1);
  return { instance, isHere: here !== undefined };
}

function isAble(board: Board, name: string, coming: number): boolean {
  const instance = board.instances.get(name);
  if (!instance || instanceRule(board, instance)) return false;
  return hasRoom(board, instance, coming);
}

function isPaidFor(board: Board, project: string, instance: string): boolean {
  return !isRefusal(creditRule(board, project, { instance, bringsModel: false }));
}

function hasRoom(board: Board, { name, settings }: Instance, coming: number): boolean {
  const running = board.runningAs.get(name) ?? 0;
  return settings.parallel === 0 || running + coming < settings.parallel;
}
