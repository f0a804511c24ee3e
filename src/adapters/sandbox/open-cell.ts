import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CellCommand, CellPlan, CellProcess, Mount } from '../../ports/cell.ts';
import {
  doorsOf,
  doorways,
  forwardingTo,
  hostPathOf,
  INSIDE,
  makeFolders,
  nodeAndForwarder,
  type Owner,
  openSockets,
  ownerBefore,
  PATH_INSIDE,
} from '../cell/layout.ts';
import type { ListedCell } from '../cell/prove.ts';
import { mountPointsOf, type Sight, viewOf } from '../cell/view.ts';
import { entryTo, innerBwrap, leaving } from './enter.ts';
import type { Host } from './host.ts';
import { launch } from './program.ts';

/** The walls as they are before bwrap is asked to build them. */
interface Walls {
  readonly view: readonly Sight[];
  /** The command line of bwrap, without what it starts. */
  readonly entry: readonly string[];
}

/** `change` is for tests that take a wall away to see it missed. */
export async function openCell(
  host: Host,
  plan: CellPlan,
  change: (walls: Walls) => readonly string[] = ({ entry }) => entry,
): Promise<ListedCell> {
  const { tools, isRoot, tmpBytes } = host;
  const owner = ownerBefore(plan.folder) ?? ownerOf(isRoot);
  const folders = makeFolders(plan.folder, owner);
  if (isRoot) openSockets(plan.sockets);
  const readable = [...toolsInside(host, plan), ...doorways(plan.sockets), ...plan.readable];
  const view = viewOf({ folders, owner, readable, tmpBytes, programs: 'host' });
  const filter = writeFilter(folders.hall, host.filter);
  const ceiling = host.ceilings.raise(plan);
  const forwarding = forwardingTo(plan.sockets);
  const alive = new Map<CellProcess, Promise<unknown>>();

  function start({ argv, env, cwd = '.' }: CellCommand): CellProcess {
    const where = { cwd: posix.resolve(INSIDE.work, cwd), isFiltered: filter !== undefined };
    const entry = change({ view, entry: entryTo({ tools, view, owner, isRoot }, where) });
    const started = launch({
      argv: [
        ...leaving(tools, ceiling.groups),
        ...entry,
        ...ceiling.inside,
        ...forwarding,
        ...argv,
      ],
      env: { ...env, PATH: PATH_INSIDE, HOME: INSIDE.home },
      filter,
      met: ceiling.met,
    });
    const forget = () => alive.delete(started);
    alive.set(started, started.ended.then(forget, forget));
    return started;
  }

  return {
    paths: { work: INSIDE.work, home: INSIDE.home },
    doors: doorsOf(plan.sockets),
    mountPoints: mountPointsOf(view),
    start,
    onHost: (inside) => hostPathOf(folders, inside),
    async [Symbol.asyncDispose]() {
      const ending = [...alive.values()];
      for (const program of alive.keys()) program.kill();
      await Promise.all(ending);
      await ceiling.release();
    },
  };
}

/**
 * Root picks a user that nobody is: the range is one that systemd's list of users keeps free. Two cells
 * have two users, so that neither could reach the other's files or processes even past a wall.
 */
function ownerOf(isRoot: boolean): Owner {
  if (isRoot) {
    const uid = randomInt(0x7000_0000, 0x7ff0_0000);
    return { uid, gid: uid };
  }
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

function toolsInside({ tools }: Host, { sockets }: CellPlan): Mount[] {
  return [
    ...nodeAndForwarder(tools.node, sockets),
    ...(innerBwrap(tools) === tools.bwrap ? [] : [{ from: tools.bwrap, to: innerBwrap(tools) }]),
  ];
}

function writeFilter(folder: string, filter: Buffer | undefined): string | undefined {
  if (filter === undefined) return undefined;
  const path = join(folder, 'filter.bpf');
  writeFileSync(path, filter);
  return path;
}
