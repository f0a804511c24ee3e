import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Limits } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import { type Seen, sharedLook } from '../cell/counting.ts';
import { gapsWithout, heldLimits } from './held-limits.ts';
import { findRuntime, type Runtime } from './runtime.ts';
import { createSlots } from './slots.ts';
import { systemCallFilter } from './system-calls.ts';

export interface ContainerNeeds {
  readonly path: string;
  /** What the names of containers and volumes begin with. */
  readonly prefix?: string | undefined;
  readonly node?: string | undefined;
  /** Size of /tmp and of /dev/shm inside, which are memory. */
  readonly tmpBytes?: number | undefined;
  /** Milliseconds after which a program that cannot be killed is killed with its whole container. */
  readonly mostClearing?: number | undefined;
}

/** What does not change from container to container. */
export interface Machine {
  readonly runtime: Runtime;
  readonly prefix: string;
  readonly node: string;
  readonly tmpBytes: number;
  readonly mostClearing: number;
  /** A file. */
  readonly filter: string | undefined;
  readonly slots: ReturnType<typeof createSlots>;
  /** The limits that control groups hold. */
  readonly held: readonly (keyof Limits)[];
  readonly processes: () => readonly Seen[];
  readonly gaps: readonly string[];
}

const TMP_BYTES = 1024 ** 3;

/**
 * Who clears is the agent's user, whom the agent can stop and so keep from its work for ever. An engine beside eight
 * busy loops on two cores took five seconds for each command.
 */
const MOST_CLEARING = 120_000;

export async function lookAtMachine(needs: ContainerNeeds): Promise<Machine> {
  if (process.platform !== 'linux') {
    throw new CellRefused(`cells in containers need Linux and this is ${process.platform}`);
  }
  const runtime = findRuntime(needs.path);
  if (runtime === undefined) {
    throw new CellRefused(
      'neither podman nor docker is on the PATH; install one (apt install podman, ' +
        'dnf install podman), or run the worker where it is',
    );
  }
  const held = await heldLimits(runtime);
  const prefix = needs.prefix ?? 'guildhall';
  const filter = systemCallFilter(process.arch);
  const folder = ownFolder();
  return {
    runtime,
    prefix,
    node: realpathSync(needs.node ?? process.execPath),
    tmpBytes: needs.tmpBytes ?? TMP_BYTES,
    mostClearing: needs.mostClearing ?? MOST_CLEARING,
    filter: filter === undefined ? undefined : writeFilter(folder, filter),
    slots: createSlots({ runtime, prefix, folder }),
    held,
    processes: sharedLook(),
    gaps: [
      ...gapsWithout(held, runtime),
      ...(filter ? [] : [`system calls are filtered as ${runtime.kind} does on ${process.arch}`]),
      ...(runtime.kind === 'docker'
        ? ['programs share the user namespace of the host, because Docker gives them no other']
        : []),
    ],
  };
}

/** Gone with this process; what one leaves that was killed goes with its other temporary files. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'box-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function writeFilter(folder: string, text: string): string {
  const path = join(folder, 'filter.json');
  writeFileSync(path, text);
  return path;
}
