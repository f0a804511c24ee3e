import type { Limits } from '../../domain/project.ts';
import type { Ceiling, Ceilings } from './ceilings.ts';
import { findControlGroups } from './control-groups.ts';
import { findProcessLimits } from './process-limits.ts';

const LIMITS: readonly (keyof Limits)[] = ['cpus', 'memoryBytes', 'pids'];

/** Control groups where they can be had; for what they do not hold, the limits of processes. */
export function findCeilings(
  { prlimit }: { readonly prlimit: string | undefined },
  groups: Ceilings = findControlGroups(),
): Ceilings {
  const missing = LIMITS.filter((limit) => !groups.holds.includes(limit));
  if (missing.length === 0) return groups;

  const processes = findProcessLimits(prlimit);
  const open = missing.filter((limit) => !processes.holds.includes(limit));
  const needsProcesses = missing.some((limit) => processes.holds.includes(limit));
  return {
    holds: LIMITS.filter((limit) => !open.includes(limit)),
    gaps: [
      ...(needsProcesses ? processes.gaps : []),
      ...open.map(
        (limit) => `no limit of ${limit} is held, because no control group can be made here`,
      ),
    ],
    raise({ name, limits }) {
      const left = { ...limits, ...Object.fromEntries(groups.holds.map((limit) => [limit, null])) };
      return both(groups.raise({ name, limits }), processes.raise({ name, limits: left }));
    },
  };
}

function both(first: Ceiling, second: Ceiling): Ceiling {
  return {
    groups: [...first.groups, ...second.groups],
    inside: [...first.inside, ...second.inside],
    met: (pid) => first.met(pid) ?? second.met(pid),
    async release() {
      await first.release();
      await second.release();
    },
  };
}
