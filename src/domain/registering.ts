import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { nameOf, type WorkerId } from './ids.ts';
import { allowedIn, type Instance } from './pool.ts';
import { refuse } from './refusal.ts';
import { tokenJoining } from './token.ts';
import type { Worker } from './worker.ts';

export interface Registration
  extends Pick<Worker, 'instance' | 'projects' | 'bringsModel' | 'tokenHash' | 'host' | 'cells'> {}

/** A process joins as an instance of the pool. It may work in the instance's projects, or in fewer. */
export function register(board: Board, registration: Registration, now: Now): Decision<WorkerId> {
  const token = tokenJoining(now.actor);
  if (token !== undefined && !board.tokens.has(token))
    return refuseWith(refuse('unknown_token', `token ${token} was revoked`));
  const instance = board.instances.get(registration.instance);
  if (!instance) {
    const known = [...board.instances.keys()].sort().join(', ');
    const because = `there is no instance ${registration.instance}; known instances: ${known || 'none'}`;
    return refuseWith(refuse('unknown_instance', because));
  }
  if (!instance.settings.enabled) {
    return refuseWith(
      refuse('instance_paused', `${instance.name} is disabled; register as another instance`),
    );
  }
  const unknown = (registration.projects ?? []).find((project) => !board.projects.has(project));
  if (unknown) return refuseWith(refuse('unknown_project', `there is no project ${unknown}`));
  const forbidden = (registration.projects ?? []).find((project) => !allowedIn(instance, project));
  if (forbidden) {
    return refuseWith(
      refuse('project_not_allowed', `${instance.name} may not work in ${forbidden}`),
    );
  }
  const projects = workableProjects(board, registration, instance);
  if (projects?.length === 0) return refuseWith(refuse('no_cell', missingIsolation(registration)));
  const id = (board.seq + 1) as WorkerId;
  const worker = { ...registration, projects, id, registeredAt: now.at, registeredBy: now.actor };
  return decide(id, [{ type: 'WorkerRegistered', worker }]);
}

/** A machine without isolation works only in projects that require none. */
function workableProjects(board: Board, registration: Registration, instance: Instance) {
  if (registration.cells?.kind !== 'none') return registration.projects;
  return [...board.projects.values()]
    .filter(({ name }) => registration.projects?.includes(name) ?? allowedIn(instance, name))
    .filter(({ settings }) => settings.isolation === 'none')
    .map(({ name }) => name);
}

function missingIsolation({ cells }: Registration): string {
  const why = cells?.gaps.join('; ') ?? '';
  return `every project of this worker requires isolation, which its machine cannot provide: ${why}`;
}

export function drainWorker(board: Board, id: WorkerId): Decision<WorkerId> {
  const worker = board.workers.get(id);
  if (!worker) {
    return refuseWith(refuse('unknown_worker', `${nameOf('worker', id)} is not registered`));
  }
  return decide(id, worker.draining ? [] : [{ type: 'WorkerDraining', worker: id }]);
}
