import { readlinkSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import { limitMet, type Seen } from '../cell/counting.ts';
import type { Ceiling } from './ceiling.ts';
import { need, type Runtime } from './runtime.ts';

const CONTROLLERS = { cpus: 'cpu', memoryBytes: 'memory', pids: 'pids' } as const;
const LIMITS = ['cpus', 'memoryBytes', 'pids'] as const;

/**
 * The limits that the runtime can hold here. Where it cannot it says so in a warning at best, and starts
 * the container all the same: as an ordinary user, where control groups are old or not handed down.
 */
export async function heldLimits(runtime: Runtime): Promise<readonly (keyof Limits)[]> {
  if (runtime.kind === 'docker') {
    const format = '{{.CpuCfsQuota}} {{.MemoryLimit}} {{.PidsLimit}}';
    const told = (await need(runtime, ['info', '--format', format])).split(' ');
    return LIMITS.filter((_, n) => told[n] === 'true');
  }
  const format = '{{range .Host.CgroupControllers}}{{.}} {{end}}';
  const controllers = (await need(runtime, ['info', '--format', format])).split(' ');
  return LIMITS.filter((limit) => controllers.includes(CONTROLLERS[limit]));
}

/** In the words of health. */
export function gapsWithout(held: readonly (keyof Limits)[], { kind }: Runtime): readonly string[] {
  const because = `because ${kind} may make no control group for it here`;
  return [
    ...(held.includes('memoryBytes')
      ? []
      : [`memory is counted every quarter of a second, ${because}; files in /tmp are not counted`]),
    ...(held.includes('pids')
      ? []
      : [`processes are counted every quarter of a second, ${because}`]),
    ...(held.includes('cpus') ? [] : [`no limit of cpus is held, ${because}`]),
  ];
}

/** What is left to the runtime, and what is counted instead. */
export function split(limits: Limits, held: readonly (keyof Limits)[]) {
  const only = (isOwn: (limit: keyof Limits) => boolean): Limits => ({
    cpus: isOwn('cpus') ? limits.cpus : null,
    memoryBytes: isOwn('memoryBytes') ? limits.memoryBytes : null,
    pids: isOwn('pids') ? limits.pids : null,
  });
  return {
    limits: only((limit) => held.includes(limit)),
    counted: only((limit) => !held.includes(limit)),
  };
}

/**
 * Told the first process of the container. What is started by `exec` is no child of it, but all see
 * the same processes and nobody else does.
 */
export function countingIn(
  processes: () => readonly Seen[],
  first: number,
  counted: Limits,
): Ceiling {
  if (counted.memoryBytes === null && counted.pids === null) return () => null;
  const own = namespaceOf(first);
  if (own === undefined) {
    throw new CellRefused(
      'the limits of a container can be held neither by control groups nor by counting here, because ' +
        'its processes cannot be looked at; leave the limits out, or run the worker as root',
    );
  }
  const isInside = ({ pid }: Seen) => pid !== first && namespaceOf(pid) === own;
  return () => limitMet(processes().filter(isInside), counted);
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch (error) {
    // Gone, or of a user whose processes are not ours to look at: not in a container of ours.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
