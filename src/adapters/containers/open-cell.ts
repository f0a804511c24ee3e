import { chmodSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import {
  type CellCommand,
  type CellPlan,
  type CellProcess,
  CellRefused,
} from '../../ports/cell.ts';
import {
  doorsOf,
  doorways,
  forwardingTo,
  hostPathOf,
  INSIDE,
  makeFolders,
  nodeAndForwarder,
  openSockets,
  ownerBefore,
  PATH_INSIDE,
} from '../cell/layout.ts';
import type { ListedCell } from '../cell/prove.ts';
import { mountPointsOf, viewOf } from '../cell/view.ts';
import { layCache } from './cache.ts';
import { ceilingOver } from './ceiling.ts';
import { countingIn, split } from './held-limits.ts';
import { imageId } from './image.ts';
import { keeperCommand, layLeash, takeLeash } from './leash.ts';
import type { Machine } from './machine.ts';
import { createArguments, OF_THE_RUNTIME, type Shape } from './options.ts';
import { launch } from './program.ts';
import { createRoom, type Room } from './room.ts';
import { need, type Runtime } from './runtime.ts';
import type { Slot } from './slots.ts';
import { type Users, usersOf } from './users.ts';

/** `change` is for tests that take a wall away to see it missed. */
export async function openCell(
  machine: Machine,
  plan: CellPlan,
  change: (options: readonly string[]) => readonly string[] = (options) => options,
): Promise<ListedCell> {
  await using undo = new AsyncDisposableStack();
  const slot = await machine.slots.take(plan.tenant.instance);
  undo.defer(() => slot.leave());
  const users = usersOf(machine.runtime, plan.tenant, ownerBefore(plan.folder));
  const folders = makeFolders(plan.folder, users.onHost);
  // The first process is somebody else than the owner, and finds the leash and the doors in it.
  chmodSync(folders.hall, 0o711);
  openSockets(plan.sockets);
  for (const { to } of doorways(plan.sockets)) writeFileSync(join(folders.hall, basename(to)), '');
  slot.show({ current: plan.folder, ...plan.sockets });
  const shape = await shapeOf(machine, plan, { slot, users, home: folders.home });
  const options = change(createArguments(machine.runtime, shape));
  const room = await start(machine, shape, { slot, hall: folders.hall, options });
  undo.defer(() => room.end());

  const alive = new Map<CellProcess, Promise<unknown>>();
  let started = 0;
  function begin({ argv, env, cwd = '.' }: CellCommand): CellProcess {
    const place = posix.resolve(INSIDE.work, cwd);
    const all = { ...env, PATH: PATH_INSIDE, HOME: INSIDE.home };
    started = (started + 1) % GROUPS;
    const program = launch(room, { argv, env: all, cwd: place }, users.firstGroup + started);
    const forget = () => alive.delete(program);
    alive.set(program, program.ended.then(forget, forget));
    return program;
  }

  const kept = undo.move();
  return {
    paths: { work: INSIDE.work, home: INSIDE.home },
    doors: doorsOf(plan.sockets),
    mountPoints: [...mountPointsOf(shape.view), ...OF_THE_RUNTIME],
    shared: users.shared,
    start: begin,
    onHost: (inside) => hostPathOf(folders, inside),
    async [Symbol.asyncDispose]() {
      const ending = [...alive.values()];
      await kept.disposeAsync();
      await Promise.all(ending);
    },
  };
}

/** More programs than a run starts at once, and fewer than there are groups. */
const GROUPS = 20_000;

interface Shaping {
  readonly slot: Slot;
  readonly users: Users;
  readonly home: string;
}

async function shapeOf(
  machine: Machine,
  plan: CellPlan,
  { slot, users, home }: Shaping,
): Promise<Shape> {
  const { runtime, prefix, tmpBytes } = machine;
  const { tenant, sockets, limits } = plan;
  const [work, ownHome, hall] = ['work', 'home', 'hall'].map((name) =>
    join(slot.way('current'), name),
  );
  const view = viewOf({
    folders: { work: work ?? '', home: ownHome ?? '', hall: hall ?? '' },
    owner: users.inside,
    readable: [
      ...nodeAndForwarder(machine.node, sockets),
      { from: hall ?? '', to: INSIDE.sockets },
      ...doorways(sockets).map(({ name, to }) => ({ from: slot.way(name), to })),
      ...plan.readable,
    ],
    tmpBytes,
    programs: tenant.image === null ? 'host' : 'image',
  });
  const cache = await layCache(runtime, { tenant, prefix, owner: users.onHost, home });
  return {
    image: await imageId(runtime, tenant.image, view),
    users,
    view: [...view, ...cache],
    ...split(limits, machine.held),
    filter: machine.filter,
    keeper: keeperCommand(forwardingTo(sockets)),
    project: tenant.project,
  };
}

interface Starting {
  readonly slot: Slot;
  readonly hall: string;
  readonly options: readonly string[];
}

async function start(
  machine: Machine,
  shape: Shape,
  { slot, hall, options }: Starting,
): Promise<Room> {
  const { runtime, mostClearing } = machine;
  await layLeash(hall, runtime.path);
  const id = await slot.containerOf(options);
  // Discard the container unless its first process is known to run.
  await using undo = new AsyncDisposableStack();
  undo.defer(() => slot.discard());
  await need(runtime, ['start', id]);
  const leash = await takeLeash(hall, isComing(runtime, id, slot.name));
  if (leash === undefined) {
    throw new CellRefused(
      `the container ${slot.name} ended before it was entered; its image needs sh, cat and env`,
    );
  }
  undo.use(leash);
  const first = await need(runtime, ['inspect', '--format', '{{.State.Pid}}', id]);
  if (!/^\d+$/.test(first)) {
    throw new CellRefused(
      `${runtime.kind} says that the container ${slot.name} is process ${first}`,
    );
  }
  const held = first === '0' ? undefined : ceilingOver(Number(first), shape.limits);
  if (held === undefined) {
    throw new CellRefused(`something else ended the container ${slot.name} while it was entered`);
  }
  const counted = countingIn(machine.processes, Number(first), shape.counted);
  const ceiling = () => held() ?? counted();
  undo.move();
  return createRoom({ runtime, id, users: shape.users, hall, leash, ceiling, mostClearing });
}

/** Whether the first process of a container may still come; refuses to wait for it for ever. */
function isComing(runtime: Runtime, id: string, name: string): () => Promise<boolean> {
  const patience = AbortSignal.timeout(PATIENCE);
  return async () => {
    if (patience.aborted) {
      throw new CellRefused(
        `the first process of the container ${name} was not there after ${PATIENCE / 60_000} minutes`,
      );
    }
    return (await need(runtime, ['inspect', '--format', '{{.State.Running}}', id])) === 'true';
  };
}

/** As long as an engine is given for everything else. */
const PATIENCE = 600_000;
