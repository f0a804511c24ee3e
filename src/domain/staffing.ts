import type { Board } from './board.ts';
import { creditRule, scopeRule } from './claim-rules.ts';
import { type AgentType, allowedIn, type Instance } from './pool.ts';
import type { Isolation, Project } from './project.ts';
import { staffedProjects } from './recruiting.ts';
import { isRefusal } from './refusal.ts';

/** What agents need of the machine that starts them. Each says what is missing; null where nothing is. */
export interface MachineLacks {
  isolation(required: Isolation | null): string | null;
  backend(type: AgentType): string | null;
}

/** An instance that the hall would start in a project, and why it cannot. */
export interface UnableInstance {
  readonly project: string;
  readonly instance: string;
  readonly because: string;
}

/**
 * The agents that cannot start until a person changes something. Limits that pass by themselves, such as
 * a spent weekly cap, do not count, nor do projects in which a worker with its own model works.
 */
export function unableInstances(board: Board, lacks: MachineLacks): readonly UnableInstance[] {
  return staffedProjects(board)
    .filter((project) => !hasOwnWorker(board, project.name))
    .flatMap((project) =>
      [...board.instances.values()]
        .filter((instance) => instance.settings.enabled && allowedIn(instance, project.name))
        .flatMap((instance) => {
          const because = whyUnable(board, { project, instance, lacks });
          return because === null
            ? []
            : [{ project: project.name, instance: instance.name, because }];
        }),
    );
}

interface Candidate {
  readonly project: Project;
  readonly instance: Instance;
  readonly lacks: MachineLacks;
}

function whyUnable(board: Board, { project, instance, lacks }: Candidate): string | null {
  const type = board.types.get(instance.type);
  if (!type) return null;
  return (
    noInvoker(board, project.name, instance.name) ??
    lacks.isolation(project.settings.isolation) ??
    lacks.backend(type)
  );
}

function noInvoker(board: Board, project: string, instance: string): string | null {
  const payer = creditRule(board, project, { instance, bringsModel: false });
  return isRefusal(payer) && payer.refused === 'no_invoker' ? payer.because : null;
}

function hasOwnWorker(board: Board, project: string): boolean {
  return [...board.workers.values()].some((worker) => {
    const instance = board.instances.get(worker.instance);
    return worker.bringsModel && instance && !scopeRule({ worker, instance }, project);
  });
}

/** One sentence for each reason, with the projects and instances it stops. */
export function unableText(unable: readonly UnableInstance[]): readonly string[] {
  const reasons = Map.groupBy(unable, ({ because }) => because);
  return [...reasons].map(([because, each]) => {
    const projects = [...new Set(each.map(({ project }) => project))].join(', ');
    const instances = [...new Set(each.map(({ instance }) => instance))].join(', ');
    return `no agent can start in ${projects} as ${instances}: ${because}`;
  });
}
