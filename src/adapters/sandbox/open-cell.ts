import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CellCommand, CellPlan, CellProcess, Mount } from '../../ports/cell.ts';
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
  type UnixUser,
} from '../cell/layout.ts';
import { type CellMount, mountPointsOf, mountsFor } from '../cell/mounts.ts';
import type { InspectableCell } from '../cell/verify-isolation.ts';
import { bwrapCommand, hostCommand, innerBwrap } from './bwrap-command.ts';
import type { Host } from './inspect-host.ts';
import { launch } from './start-program.ts';

/** The isolation as planned, before bwrap builds it. */
interface SandboxSetup {
  readonly mounts: readonly CellMount[];
  /** The bwrap command line, without the program it starts. */
  readonly command: readonly string[];
}

/** `change` lets a test remove one part of the isolation and see that a probe notices. */
export async function openCell(
  host: Host,
  plan: CellPlan,
  change: (setup: SandboxSetup) => readonly string[] = ({ command }) => command,
): Promise<InspectableCell> {
  const { tools, isRoot, tmpBytes } = host;
  const user = previousUser(plan.folder) ?? pickUser(isRoot);
  const folders = makeFolders(plan.folder, user);
  if (isRoot) makeSocketsWritable(plan.sockets);
  const readable = [...toolsInside(host, plan), ...proxySockets(plan.sockets), ...plan.readable];
  const mounts = mountsFor({ folders, user, readable, tmpBytes, programs: 'host' });
  const filter = writeFilter(folders.hall, host.filter);
  const limits = host.limiter.apply(plan);
  const forwarder = forwarderCommand(plan.sockets);
  const alive = new Map<CellProcess, Promise<unknown>>();

  function start({ argv, env, cwd = '.' }: CellCommand): CellProcess {
    const where = { cwd: posix.resolve(INSIDE.work, cwd), isFiltered: filter !== undefined };
    const command = change({
      mounts,
      command: bwrapCommand({ tools, mounts, user, isRoot }, where),
    });
    const program = launch({
      argv: [
        ...hostCommand(tools, limits.cgroupFiles),
        ...command,
        ...limits.commandPrefix,
        ...forwarder,
        ...argv,
      ],
      env: { ...env, PATH: PATH_INSIDE, HOME: INSIDE.home },
      filter,
      exceeded: limits.exceeded,
    });
    const forget = () => alive.delete(program);
    alive.set(program, program.ended.then(forget, forget));
    return program;
  }

  return {
    paths: { work: INSIDE.work, home: INSIDE.home },
    proxies: proxyUrls(plan.sockets),
    mountPoints: mountPointsOf(mounts),
    start,
    onHost: (inside) => hostPathOf(folders, inside),
    async [Symbol.asyncDispose]() {
      const ending = [...alive.values()];
      for (const program of alive.keys()) program.kill();
      await Promise.all(ending);
      await limits.release();
    },
  };
}

/**
 * Root picks an unused user id, from a range that systemd's list of users keeps free. Every cell has
 * its own, so one cannot reach another's files or processes even if the isolation fails.
 */
function pickUser(isRoot: boolean): UnixUser {
  if (isRoot) {
    const uid = randomInt(0x7000_0000, 0x7ff0_0000);
    return { uid, gid: uid };
  }
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

function toolsInside({ tools }: Host, { sockets }: CellPlan): Mount[] {
  return [
    ...nodeAndForwarderMounts(tools.node, sockets),
    ...(innerBwrap(tools) === tools.bwrap ? [] : [{ from: tools.bwrap, to: innerBwrap(tools) }]),
  ];
}

function writeFilter(folder: string, filter: Buffer | undefined): string | undefined {
  if (filter === undefined) return undefined;
  const path = join(folder, 'filter.bpf');
  writeFileSync(path, filter);
  return path;
}
