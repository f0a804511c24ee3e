import type { ProjectSettings } from '../project.ts';
import type { WorkerCells } from '../worker.ts';
import type { GateMode } from './verdict.ts';

/**
 * The mode of the tool gate for a run. Only a cell without a network bounds what the tables do not list, so
 * a run without isolation is always judged strictly, and so is one whose worker reports no cell, unless
 * the operator says otherwise.
 */
export function gateModeOf(
  { gate, isolation, network }: Pick<ProjectSettings, 'gate' | 'isolation' | 'network'>,
  cells: WorkerCells | undefined,
): GateMode {
  if (isolation === 'none' || cells?.kind === 'none') return 'strict';
  return gate ?? (cells && network.length === 0 ? 'sandboxed' : 'strict');
}
