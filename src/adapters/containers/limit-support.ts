import { readlinkSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import { exceededLimit, type ProcessStat } from '../cell/process-usage.ts';
import type { ExceededLimit } from './cgroups.ts';
import { dockerInfo } from './docker-info.ts';
import { type Engine, requireEngine } from './engine.ts';

const CONTROLLERS = { cpus: 'cpu', memoryBytes: 'memory', pids: 'pids' } as const;
const DOCKER_FLAGS = {
  cpus: 'CpuCfsQuota',
  memoryBytes: 'MemoryLimit',
  pids: 'PidsLimit',
} as const;
const LIMITS = ['cpus', 'memoryBytes', 'pids'] as const;

/**
 * The limits that the runtime can enforce here. Where it cannot, it warns at best and starts the
 * container anyway: as an ordinary user, with old control groups, or without delegation.
 */
export async function enforcedLimits(engine: Engine): Promise<readonly (keyof Limits)[]> {
  if (engine.kind === 'docker') {
    const info = await dockerInfo(engine);
    return LIMITS.filter((limit) => info[DOCKER_FLAGS[limit]] === true);
  }
  const format = '{{range .Host.CgroupControllers}}{{.}} {{end}}';
  const controllers = (await requireEngine(engine, ['info', '--format', format])).split(' ');
  return LIMITS.filter((limit) => controllers.includes(CONTROLLERS[limit]));
}

/** As text for health. */
export function gapsFor(enforced: readonly (keyof Limits)[], { kind }: Engine): readonly string[] {
  const because = `because ${kind} cannot create a control group for it here`;
  return [
    ...(enforced.includes('memoryBytes')
      ? []
      : [`memory is counted every quarter of a second, ${because}; files in /tmp are not counted`]),
    ...(enforced.includes('pids')
      ? []
      : [`processes are counted every quarter of a second, ${because}`]),
    ...(enforced.includes('cpus') ? [] : [`the cpus limit is not enforced, ${because}`]),
  ];
}

/** Splits the limits into those the runtime enforces and those we count instead. */
export function splitLimits(limits: Limits, enforced: readonly (keyof Limits)[]) {
  const only = (isIncluded: (limit: keyof Limits) => boolean): Limits => ({
    cpus: isIncluded('cpus') ? limits.cpus : null,
    memoryBytes: isIncluded('memoryBytes') ? limits.memoryBytes : null,
    pids: isIncluded('pids') ? limits.pids : null,
  });
  return {
    limits: only((limit) => enforced.includes(limit)),
    polled: only((limit) => !enforced.includes(limit)),
  };
}

/**
 * Takes the first process of the container. Programs started by `exec` are not its children, but they
 * share its PID namespace, and no other process does.
 */
export function watchProcesses(
  processes: () => readonly ProcessStat[],
  initPid: number,
  polled: Limits,
): ExceededLimit {
  if (polled.memoryBytes === null && polled.pids === null) return () => null;
  const namespace = namespaceOf(initPid);
  if (namespace === undefined) {
    throw new CellRefused(
      'the limits of a container cannot be enforced here: there are no control groups, and its processes ' +
        'cannot be inspected; remove the limits, or run the worker as root',
    );
  }
  const isInside = ({ pid }: ProcessStat) => pid !== initPid && namespaceOf(pid) === namespace;
  return () => exceededLimit(processes().filter(isInside), polled);
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch (error) {
    // Gone, or owned by a user whose processes we may not inspect, so not in our container.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
