import { randomInt } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import {
  type CellCommand,
  type CellPlan,
  type CellProcess,
  CellRefused,
  type Mount,
} from '../../ports/cell.ts';
import {
  forwarderCommand,
  hostPathOf,
  INSIDE,
  makeFolders,
  makeSocketsWritable,
  nodeAndForwarderMounts,
  PATH_INSIDE,
  previousUser,
  proxySockets,
  proxyUrls,
} from '../cell/layout.ts';
import { mountPointsOf, mountsFor } from '../cell/mounts.ts';
import type { InspectableCell } from '../cell/verify-isolation.ts';
import { prepareCache } from './cache.ts';
import { watchCgroups } from './cgroups.ts';
import type { PooledContainer } from './container-pool.ts';
import { type ContainerSpec, createArguments, engineMounts } from './create-options.ts';
import { type Engine, requireEngine } from './engine.ts';
import { imageId } from './image.ts';
import type { Host } from './inspect-host.ts';
import { createLifeline, holdLifeline, initCommand } from './lifeline.ts';
import { splitLimits, watchProcesses } from './limit-support.ts';
import { type RunningContainer, watchContainer } from './running-container.ts';
import { launch } from './start-program.ts';
import { correctTmp } from './tmp-mode.ts';
import { type Users, usersOf } from './users.ts';

/** `change` lets a test remove one part of the isolation and see that a probe notices. */
export async function openCell(
  host: Host,
  plan: CellPlan,
  change: (options: readonly string[]) => readonly string[] = (options) => options,
): Promise<InspectableCell> {
  await using undo = new AsyncDisposableStack();
  const pooled = await host.pool.acquire(plan.tenant.instance);
  undo.defer(() => pooled.release());
  const users = usersOf(host.engine, plan.tenant, previousUser(plan.folder));
  const folders = makeFolders(plan.folder, users.onHost);
  // The first process runs as another user and finds the lifeline and the proxies in this folder.
  chmodSync(folders.hall, 0o711);
  makeSocketsWritable(plan.sockets);
  for (const { to } of proxySockets(plan.sockets))
    writeFileSync(join(folders.hall, basename(to)), '');
  pooled.pointLinks({ current: plan.folder, ...plan.sockets });
  const spec = await containerSpec(host, plan, { pooled, users, home: folders.home });
  const options = change(createArguments(host.engine, spec));
  const container = await startContainer(host, spec, { pooled, hall: folders.hall, options });
  undo.defer(() => container.kill());

  const alive = new Map<CellProcess, Promise<unknown>>();
  // A container that shares the processes of the host must not kill those of another one with its own.
  let started = randomInt(PROGRAM_GROUPS);
  function startProgram({ argv, env, cwd = '.' }: CellCommand): CellProcess {
    const workdir = posix.resolve(INSIDE.work, cwd);
    const environment = { ...env, PATH: PATH_INSIDE, HOME: INSIDE.home };
    started = (started + 1) % PROGRAM_GROUPS;
    const program = launch(
      container,
      { argv, env: environment, cwd: workdir },
      users.firstGroup + started,
    );
    const forget = () => alive.delete(program);
    alive.set(program, program.ended.then(forget, forget));
    return program;
  }

  const resources = undo.move();
  return {
    paths: { work: INSIDE.work, home: INSIDE.home },
    proxies: proxyUrls(plan.sockets),
    mountPoints: [...mountPointsOf(spec.mounts), ...engineMounts(host.engine)],
    sharedNamespaces: users.sharedNamespaces,
    start: startProgram,
    onHost: (inside) => hostPathOf(folders, inside),
    async [Symbol.asyncDispose]() {
      const ending = [...alive.values()];
      await resources.disposeAsync();
      await Promise.all(ending);
    },
  };
}

/** More programs than a run starts at once, and fewer than there are groups. */
const PROGRAM_GROUPS = 20_000;

interface SpecNeeds {
  readonly pooled: PooledContainer;
  readonly users: Users;
  readonly home: string;
}

async function containerSpec(
  host: Host,
  plan: CellPlan,
  { pooled, users, home }: SpecNeeds,
): Promise<ContainerSpec> {
  const { engine, prefix, tmpBytes } = host;
  const { tenant, sockets, limits } = plan;
  const [work, ownHome, hall] = ['work', 'home', 'hall'].map((name) =>
    join(pooled.linkPath('current'), name),
  );
  const mounts = mountsFor({
    folders: { work: work ?? '', home: ownHome ?? '', hall: hall ?? '' },
    user: users.inside,
    readable: [
      ...nodeAndForwarderMounts(host.node, sockets),
      { from: hall ?? '', to: INSIDE.sockets },
      emptyResolverFile(hall ?? ''),
      ...proxySockets(sockets).map(({ name, to }) => ({ from: pooled.linkPath(name), to })),
      ...plan.readable,
    ],
    tmpBytes,
    programs: tenant.image === null ? 'host' : 'image',
  });
  const cacheMounts = await prepareCache(engine, { tenant, prefix, user: users.onHost, home });
  return {
    image: await imageId(engine, tenant.image, mounts),
    users,
    mounts: [...mounts, ...cacheMounts],
    ...splitLimits(limits, host.enforced),
    filter: host.filter,
    init: initCommand(forwarderCommand(sockets)),
    project: tenant.project,
  };
}

/** Docker writes the resolvers of the host into a container even if it has no network. */
function emptyResolverFile(hall: string): Mount {
  const from = join(hall, 'resolv.conf');
  writeFileSync(from, '', { mode: 0o644 });
  return { from, to: '/etc/resolv.conf' };
}

interface StartNeeds {
  readonly pooled: PooledContainer;
  readonly hall: string;
  readonly options: readonly string[];
}

async function startContainer(
  host: Host,
  spec: ContainerSpec,
  { pooled, hall, options }: StartNeeds,
): Promise<RunningContainer> {
  const { engine, killTimeout } = host;
  await createLifeline(hall, engine.path);
  const id = await pooled.ensureContainer(options);
  // Discard the container unless its first process is known to run.
  await using undo = new AsyncDisposableStack();
  undo.defer(() => pooled.remove());
  await requireEngine(engine, ['start', id]);
  const lifeline = await holdLifeline(hall, isStarting(engine, id, pooled.name));
  if (lifeline === undefined) {
    throw new CellRefused(
      `the container ${pooled.name} ended before it was ready; its image needs sh, cat and env`,
    );
  }
  undo.use(lifeline);
  const initPid = await requireEngine(engine, ['inspect', '--format', '{{.State.Pid}}', id]);
  if (!/^\d+$/.test(initPid)) {
    throw new CellRefused(
      `${engine.kind} reports ${initPid} as the process of the container ${pooled.name}`,
    );
  }
  const fromCgroups = initPid === '0' ? undefined : watchCgroups(Number(initPid), spec.limits);
  if (fromCgroups === undefined) {
    throw new CellRefused(
      `something else ended the container ${pooled.name} while it was starting`,
    );
  }
  correctTmp(engine, Number(initPid));
  const fromPolling = watchProcesses(host.processes, Number(initPid), spec.polled);
  const checkLimits = () => fromCgroups() ?? fromPolling();
  undo.move();
  return watchContainer({
    engine,
    id,
    users: spec.users,
    hall,
    lifeline,
    checkLimits,
    killTimeout,
  });
}

/** Whether the first process of a container may still start; limits the wait for it. */
function isStarting(engine: Engine, id: string, name: string): () => Promise<boolean> {
  const timeout = AbortSignal.timeout(START_TIMEOUT);
  return async () => {
    if (timeout.aborted) {
      throw new CellRefused(
        `the first process of the container ${name} did not start within ${START_TIMEOUT / 60_000} minutes`,
      );
    }
    return (
      (await requireEngine(engine, ['inspect', '--format', '{{.State.Running}}', id])) === 'true'
    );
  };
}

/** The same time as for any other engine command. */
const START_TIMEOUT = 600_000;
