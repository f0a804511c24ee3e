import { createGitWorkspaces } from '../../src/adapters/git/workspaces.ts';
import { createUnisolatedCells } from '../../src/adapters/processes/unisolated-cells.ts';
import { planFor } from './git-fixture.ts';
import { NO_TENANT } from './no-tenant.ts';

/** The steps of a worker after its agent has stopped, in a process that can be killed. */
export interface Harvester {
  readonly root: string;
  readonly path: string;
  readonly url: string;
  readonly cell: string;
  readonly cellPath: string;
  readonly base: string;
  readonly run: string;
  readonly branch: string;
}

export async function harvestAndPush(options: Harvester): Promise<unknown> {
  const workspaces = createGitWorkspaces({
    root: options.root,
    path: options.path,
    secrets: () => [],
    gnupgHome: null,
    onProgress: () => undefined,
  });
  const mirror = await workspaces.mirror({ url: options.url, credential: null });
  await using cell = await createUnisolatedCells({ path: options.cellPath }).open({
    name: options.run,
    folder: options.cell,
    readable: [],
    sockets: {},
    limits: { cpus: null, memoryBytes: null, pids: null },
    tenant: NO_TENANT,
  });
  const work = await mirror.harvest(cell, { ...planFor(options.base), run: options.run });
  if (work.is !== 'work') return work;
  return await mirror.push(work, { branch: options.branch, expected: null });
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? '{}') as Harvester;
  process.stdout.write(`${JSON.stringify(await harvestAndPush(options))}\n`);
}
