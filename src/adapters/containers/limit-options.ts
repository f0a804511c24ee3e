import { readFileSync } from 'node:fs';
import type { Limits } from '../../domain/project.ts';

/** What the runtime enforces by control groups. */
export function limitOptions({ cpus, memoryBytes, pids }: Limits): string[] {
  return [
    ...(cpus === null ? [] : ['--cpus', String(cpus)]),
    // The same total with swap as without: no swap.
    ...(memoryBytes === null ? [] : [`--memory=${memoryBytes}b`, `--memory-swap=${memoryBytes}b`]),
    `--pids-limit=${pids === null ? -1 : pids + INIT_PROCESSES}`,
  ];
}

/** The first process and its child do not count against the run. */
const INIT_PROCESSES = 2;

/** A runtime sets more than a container with its own users may have, and the container would not start. */
export function ulimitOptions({ pids }: Limits): string[] {
  const processLimits = readFileSync('/proc/self/limits', 'utf8');
  const files = hardLimit(processLimits, 'Max open files');
  const processes = Math.min(
    hardLimit(processLimits, 'Max processes'),
    pids ?? MAX_PROCESSES,
    MAX_PROCESSES,
  );
  return ['--ulimit', `nofile=${files}:${files}`, '--ulimit', `nproc=${processes}:${processes}`];
}

/** The process limit that Podman leaves itself. */
const MAX_PROCESSES = 32_768;

function hardLimit(limits: string, name: string): number {
  const found = new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, 'm').exec(limits)?.[1];
  return found === undefined ? 1_048_576 : Number(found);
}
