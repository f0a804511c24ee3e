import { createGitWorkspaces } from '../../src/adapters/git/workspaces.ts';
import { createUnisolatedCells } from '../../src/adapters/processes/unisolated-cells.ts';
import { planFor } from './git-fixture.ts';
import { NO_TENANT } from './no-tenant.ts';

/** What a worker does when its agent has stopped, in a process that can be killed. */
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

export async function harvestAndPush(asked: Harvester): Promise<unknown> {
  const workspaces = createGitWorkspaces({
    root: asked.root,
    path: asked.path,
    secrets: () => [],
    gnupgHome: null,
    onProgress: () => undefined,
  });
  const mirror = await workspaces.mirror({ url: asked.url, credential: null });
  await using cell = await createUnisolatedCells({ path: asked.cellPath }).open({
    name: asked.run,
    folder: asked.cell,
    readable: [],
    sockets: {},
    limits: { cpus: null, memoryBytes: null, pids: null },
    tenant: NO_TENANT,
  });
  const work = await mirror.harvest(cell, { ...planFor(asked.base), run: asked.run });
  if (work.is !== 'work') return work;
  return await mirror.push(work, { branch: asked.branch, expected: null });
}

if (import.meta.main) {
  const asked = JSON.parse(process.argv[2] ?? '{}') as Harvester;
  process.stdout.write(`${JSON.stringify(await harvestAndPush(asked))}\n`);
}
