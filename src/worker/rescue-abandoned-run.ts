import type { Isolation, Limits } from '../domain/project.ts';
import type { Cells, Tenant } from '../ports/cell.ts';
import type { HarvestPlan, Repository, Workspaces } from '../ports/workspace.ts';
import type { AbandonedRun } from './clean-machine.ts';
import { MIRROR_OBJECTS } from './run-environment.ts';

/** What cleanup must know to harvest the work in a run's cell. */
export interface RunNote {
  readonly repo: Repository;
  readonly branch: string;
  readonly isolation: Isolation | null;
  readonly limits: Limits;
  readonly tenant: Tenant;
  /** Null for a read-only run. */
  readonly plan: HarvestPlan | null;
}

interface Needs {
  readonly workspaces: Workspaces;
  cellsFor(isolation: Isolation | null): Promise<Cells>;
}

type Rescued =
  | { readonly is: 'nothing' }
  | { readonly is: 'rescued'; readonly ref: string }
  | { readonly is: 'unusable'; readonly because: string };

/** Harvests the work of an agent whose worker died, in its cell, as the worker would have done. */
export async function rescueAbandonedRun(
  { workspaces, cellsFor }: Needs,
  { run, folder, ...abandoned }: AbandonedRun,
): Promise<Rescued> {
  const note = abandoned.note();
  if (note === null) return { is: 'nothing' };
  const { repo, branch, isolation, limits, tenant, plan }: RunNote = JSON.parse(note);
  if (plan === null) return { is: 'nothing' };
  const mirror = await workspaces.mirror({ ...repo, isOffline: true });
  const cells = await cellsFor(isolation);
  await using cell = await cells.open({
    name: run,
    folder: `${folder}/cell`,
    readable: [{ from: mirror.objects, to: MIRROR_OBJECTS }],
    sockets: {},
    limits,
    // The work is in the folder; state kept for other runs is not needed.
    tenant: { ...tenant, project: null },
  });
  const harvest = await mirror.harvest(cell, plan);
  if (harvest.is !== 'work') return harvest;
  const isPushed = (await mirror.tip(branch)) === harvest.commit;
  return isPushed ? { is: 'nothing' } : { is: 'rescued', ref: await mirror.rescue(harvest) };
}
