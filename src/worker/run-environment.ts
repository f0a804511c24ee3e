import type { Brief } from '../domain/brief.ts';
import type { Env } from '../domain/env.ts';
import { localPath } from '../domain/project.ts';
import type { Cell, Tenant } from '../ports/cell.ts';
import type { Assignment } from '../ports/hall-client.ts';
import type { Gateway } from '../ports/run-proxies.ts';
import {
  type Bounds,
  type HarvestPlan,
  type Mirror,
  type Repository,
  RepositoryFailed,
} from '../ports/workspace.ts';
import type { WorkerNeeds } from './needs.ts';
import type { RunNote } from './rescue-abandoned-run.ts';
import type { Transcript } from './transcript.ts';

/** The environment of one run: its cell with a work tree, and its proxies. */
export interface RunEnvironment extends AsyncDisposable {
  readonly cell: Cell;
  readonly gateway: Gateway;
  /** The operator's variables, for setup and agent. */
  readonly env: Env;
  /** Maps a host path of the agent's backend to its path inside. */
  readonly inside: (path: string) => string;
  readonly mirror: Mirror;
  /** The branch that work starts from and is compared with. */
  readonly base: string;
  /** The commit that is checked out. */
  readonly start: string;
  /** The commit of the thread's branch before the run; null when there was no branch. */
  readonly expected: string | null;
  /** How to harvest its work; null for a read-only run. */
  readonly plan: HarvestPlan | null;
  /** While it holds work that was not harvested, disposing it keeps the folder. */
  holdsWork(is: boolean): void;
}

interface RunContext {
  readonly assignment: Assignment;
  readonly brief: Brief;
  readonly transcript: Transcript;
  readonly stale: () => void;
}

/** The path of the mirror's objects inside. */
export const MIRROR_OBJECTS = '/run/mirror';

export async function prepareRunEnvironment(
  needs: WorkerNeeds,
  context: RunContext,
): Promise<RunEnvironment> {
  const { brief, assignment } = context;
  const repo = repositoryOf(needs, context);
  const mirror = await needs.workspaces.mirror(repo);
  const base = brief.base ?? mirror.defaultBranch;
  const expected = await mirror.tip(brief.branch);
  const start = expected ?? (await mirror.tip(base));
  if (start === null) throw new RepositoryFailed(`there is no branch ${base} in ${repo.url}`);

  await using undo = new AsyncDisposableStack();
  const plan = brief.writes ? harvestPlan(context, start, needs.bounds) : null;
  const { isolation, limits } = brief.cell;
  const tenant = tenantOf(brief);
  const note: RunNote = {
    repo: { ...repo, credential: null },
    ...{ branch: brief.branch, isolation, limits, tenant, plan },
  };
  const folder = await needs.folders.make(assignment.run, JSON.stringify(note));
  let hasUnsavedWork = false;
  undo.defer(async () => {
    if (!hasUnsavedWork) await needs.folders.remove(folder);
  });
  const { cell, gateway, env, inside } = await openCell(needs, context, { folder, mirror, undo });
  const objects = inside(mirror.objects) === mirror.objects ? mirror.objects : MIRROR_OBJECTS;
  const { branch, agent } = brief;
  await mirror.checkOut(cell, { commit: start, branch, base, who: agent.git, objects });
  const resources = undo.move();
  return {
    cell,
    gateway,
    env,
    inside,
    mirror,
    base,
    start,
    expected,
    plan,
    holdsWork: (is) => {
      hasUnsavedWork = is && plan !== null;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function harvestPlan(
  { assignment, brief: { agent } }: RunContext,
  base: string,
  bounds: Bounds,
): HarvestPlan {
  return {
    run: assignment.run,
    base,
    who: agent.git,
    trailers: [`Co-authored-by: ${agent.coAuthor}`],
    signingKey: agent.gpgKey,
    leftovers: `Commit what ${assignment.task} left uncommitted`,
    bounds,
  };
}

async function openCell(
  needs: WorkerNeeds,
  { assignment, brief, transcript, stale: onStale }: RunContext,
  { folder, mirror, undo }: { folder: string; mirror: Mirror; undo: AsyncDisposableStack },
): Promise<Pick<RunEnvironment, 'cell' | 'gateway' | 'env' | 'inside'>> {
  const cells = await needs.cellsFor(brief.cell.isolation);
  const { image } = brief.cell;
  const { env, readable } = await needs.prepareVariables(brief.cell.env, {
    kind: cells.kind,
    image,
  });
  const gateway = undo.use(await needs.proxies.openGateway({ lease: assignment, onStale }));
  const { network, limits } = brief.cell;
  const log = (line: string) => transcript.append({ kind: 'hall', text: line });
  const egress =
    network.length === 0
      ? undefined
      : undo.use(await needs.proxies.openEgress({ hosts: network, log }));
  const cell = undo.use(
    await cells.open({
      name: assignment.run,
      folder: `${folder}/cell`,
      readable: [
        ...readable,
        { from: mirror.objects, to: MIRROR_OBJECTS },
        ...programsOf(needs, brief).map((path) => ({ from: path, to: insidePath(path) })),
      ],
      sockets: { gateway: gateway.socket, ...(egress && { egress: egress.socket }) },
      limits,
      tenant: tenantOf(brief),
    }),
  );
  const inside = (path: string) => (cells.kind === 'none' ? path : insidePath(path));
  return { cell, gateway, env, inside };
}

function tenantOf({ agent, prompt, cell }: Brief): Tenant {
  return { instance: agent.instance, project: prompt.task.project, image: cell.image };
}

function programsOf({ runnerFor }: WorkerNeeds, { agent }: Brief): readonly string[] {
  return runnerFor(agent.backend).readable ?? [];
}

/** A prefix that no cell uses itself; a cell's own mounts could hide the unprefixed host path. */
function insidePath(path: string): string {
  return `/run/agent${path}`;
}

function repositoryOf({ hall }: WorkerNeeds, { brief, assignment }: RunContext): Repository {
  const { repo } = brief;
  const path = localPath(repo);
  if (path !== undefined) return { url: path, credential: null };
  if (repo === null) {
    throw new RepositoryFailed('the project has no repository; set one with repo: file:path');
  }
  return hall.repository(assignment, repo);
}
