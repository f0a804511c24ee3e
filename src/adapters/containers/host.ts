import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Limits } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import { createProcessList, type ProcessStat } from '../cell/process-usage.ts';
import { createContainerPool } from './container-pool.ts';
import { enforcedLimits, gapsFor } from './enforced-limits.ts';
import { type Engine, findEngine } from './engine.ts';
import { seccompFilter } from './seccomp.ts';

export interface ContainerNeeds {
  readonly path: string;
  /** What the names of containers and volumes begin with. */
  readonly prefix?: string | undefined;
  readonly node?: string | undefined;
  /** Size of /tmp and of /dev/shm inside, which are memory. */
  readonly tmpBytes?: number | undefined;
  /** Milliseconds after which a program that cannot be killed is killed with its whole container. */
  readonly killTimeout?: number | undefined;
}

/** What does not change from container to container. */
export interface Host {
  readonly engine: Engine;
  readonly prefix: string;
  readonly node: string;
  readonly tmpBytes: number;
  readonly killTimeout: number;
  /** A file. */
  readonly filter: string | undefined;
  readonly pool: ReturnType<typeof createContainerPool>;
  /** The limits that control groups hold. */
  readonly enforced: readonly (keyof Limits)[];
  readonly processes: () => readonly ProcessStat[];
  readonly gaps: readonly string[];
}

const TMP_BYTES = 1024 ** 3;

/**
 * Who clears is the agent's user, whom the agent can stop and so keep from its work for ever. An engine beside eight
 * busy loops on two cores took five seconds for each command.
 */
const KILL_TIMEOUT = 120_000;

export async function inspectHost(needs: ContainerNeeds): Promise<Host> {
  if (process.platform !== 'linux') {
    throw new CellRefused(`cells in containers need Linux and this is ${process.platform}`);
  }
  const engine = findEngine(needs.path);
  if (engine === undefined) {
    throw new CellRefused(
      'neither podman nor docker is on the PATH; install one (apt install podman, ' +
        'dnf install podman), or run the worker where it is',
    );
  }
  const enforced = await enforcedLimits(engine);
  const prefix = needs.prefix ?? 'guildhall';
  const filter = seccompFilter(process.arch);
  const folder = createTemporaryFolder();
  return {
    engine,
    prefix,
    node: realpathSync(needs.node ?? process.execPath),
    tmpBytes: needs.tmpBytes ?? TMP_BYTES,
    killTimeout: needs.killTimeout ?? KILL_TIMEOUT,
    filter: filter === undefined ? undefined : writeFilter(folder, filter),
    pool: createContainerPool({ engine, prefix, folder }),
    enforced,
    processes: createProcessList(),
    gaps: [
      ...gapsFor(enforced, engine),
      ...(filter ? [] : [`system calls are filtered as ${engine.kind} does on ${process.arch}`]),
      ...(engine.kind === 'docker'
        ? ['programs share the user namespace of the host, because Docker gives them no other']
        : []),
    ],
  };
}

/** Gone with this process; what one leaves that was killed goes with its other temporary files. */
function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'box-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function writeFilter(folder: string, text: string): string {
  const path = join(folder, 'filter.json');
  writeFileSync(path, text);
  return path;
}
