import type { Limits } from '../../domain/project.ts';
import { findCgroups } from './cgroups.ts';
import type { AppliedLimits, Limiter } from './limiter.ts';
import { findProcessLimits } from './process-limits.ts';

const LIMITS: readonly (keyof Limits)[] = ['cpus', 'memoryBytes', 'pids'];

/** Control groups where available; per-process limits for whatever they cannot enforce. */
export function findLimiter(
  { prlimit }: { readonly prlimit: string | undefined },
  cgroups: Limiter = findCgroups(),
): Limiter {
  const missing = LIMITS.filter((limit) => !cgroups.enforces.includes(limit));
  if (missing.length === 0) return cgroups;

  const processes = findProcessLimits(prlimit);
  const unenforced = missing.filter((limit) => !processes.enforces.includes(limit));
  const needsProcesses = missing.some((limit) => processes.enforces.includes(limit));
  return {
    enforces: LIMITS.filter((limit) => !unenforced.includes(limit)),
    gaps: [
      ...(needsProcesses ? processes.gaps : []),
      ...unenforced.map(
        (limit) =>
          `the ${limit} limit is not enforced, because no control group can be created here`,
      ),
    ],
    apply({ name, limits }) {
      const remaining = {
        ...limits,
        ...Object.fromEntries(cgroups.enforces.map((limit) => [limit, null])),
      };
      return combine(cgroups.apply({ name, limits }), processes.apply({ name, limits: remaining }));
    },
  };
}

function combine(first: AppliedLimits, second: AppliedLimits): AppliedLimits {
  return {
    cgroupFiles: [...first.cgroupFiles, ...second.cgroupFiles],
    commandPrefix: [...first.commandPrefix, ...second.commandPrefix],
    exceeded: (pid) => first.exceeded(pid) ?? second.exceeded(pid),
    async release() {
      await first.release();
      await second.release();
    },
  };
}
