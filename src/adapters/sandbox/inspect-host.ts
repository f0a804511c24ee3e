import { CellRefused } from '../../ports/cell.ts';
import { findLimiter } from './find-limiter.ts';
import { findTools, isKernelRoot, type ToolSettings, type Tools } from './find-tools.ts';
import type { Limiter } from './limiter.ts';
import { seccompFilter } from './seccomp.ts';

export interface SandboxNeeds extends ToolSettings {
  /** Size of /tmp and of /dev/shm inside, both held in memory. */
  readonly tmpBytes?: number | undefined;
}

/** Facts that are the same for every cell. */
export interface Host {
  readonly tools: Tools;
  /** Root builds the cell and another user enters it. */
  readonly isRoot: boolean;
  readonly filter: Buffer | undefined;
  readonly tmpBytes: number;
  readonly limiter: Limiter;
  readonly gaps: readonly string[];
}

const TMP_BYTES = 1024 ** 3;

export function inspectHost(needs: SandboxNeeds): Host {
  if (process.platform !== 'linux') {
    throw new CellRefused(
      `bubblewrap does not run on ${process.platform}; run the worker on Linux`,
    );
  }
  const tools = findTools(needs);
  const filter = seccompFilter(process.arch);
  const limiter = findLimiter(tools);
  const unfiltered = `system calls are not filtered on ${process.arch}, so vsock stays open`;
  return {
    tools,
    isRoot: isKernelRoot(),
    filter,
    tmpBytes: needs.tmpBytes ?? TMP_BYTES,
    limiter,
    gaps: [...(filter ? [] : [unfiltered]), ...limiter.gaps],
  };
}
