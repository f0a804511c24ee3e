import { CellRefused } from '../../ports/cell.ts';
import type { Ceilings } from './ceilings.ts';
import { findCeilings } from './find-ceilings.ts';
import { systemCallFilter } from './system-calls.ts';
import { findTools, isKernelRoot, type Tools, type Wanted } from './tools.ts';

export interface SandboxNeeds extends Wanted {
  /** Size of /tmp and of /dev/shm inside, which are memory. */
  readonly tmpBytes?: number | undefined;
}

/** What does not change from cell to cell. */
export interface Host {
  readonly tools: Tools;
  /** Root builds the cell and somebody else enters it. */
  readonly isRoot: boolean;
  readonly filter: Buffer | undefined;
  readonly tmpBytes: number;
  readonly ceilings: Ceilings;
  readonly gaps: readonly string[];
}

const TMP_BYTES = 1024 ** 3;

export function lookAtHost(needs: SandboxNeeds): Host {
  if (process.platform !== 'linux') {
    throw new CellRefused(
      `bubblewrap does not run on ${process.platform}; run the worker on Linux`,
    );
  }
  const tools = findTools(needs);
  const filter = systemCallFilter(process.arch);
  const ceilings = findCeilings(tools);
  const unfiltered = `system calls are not filtered on ${process.arch}, so that vsock stays open`;
  return {
    tools,
    isRoot: isKernelRoot(),
    filter,
    tmpBytes: needs.tmpBytes ?? TMP_BYTES,
    ceilings,
    gaps: [...(filter ? [] : [unfiltered]), ...ceilings.gaps],
  };
}
