import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Limits } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import { createProcessList, type ProcessStat } from '../cell/process-usage.ts';
import { createContainerPool } from './container-pool.ts';
import { daemonFault, type Engine, type EngineLocation, findEngine } from './engine.ts';
import { enforcedLimits, gapsFor } from './limit-support.ts';
import { seccompFilter } from './seccomp.ts';

export interface ContainerNeeds extends EngineLocation {
  /** Prefix of the names of containers and volumes. */
  readonly prefix?: string | undefined;
  readonly node?: string | undefined;
  /** Size of /tmp and of /dev/shm inside, both held in memory. */
  readonly tmpBytes?: number | undefined;
  /** Milliseconds until a program that cannot be killed is killed with its whole container. */
  readonly killTimeout?: number | undefined;
}

/** Facts that are the same for every container. */
export interface Host {
  readonly engine: Engine;
  readonly prefix: string;
  readonly node: string;
  readonly tmpBytes: number;
  readonly killTimeout: number;
  /** A file. */
  readonly filter: string | undefined;
  readonly pool: ReturnType<typeof createContainerPool>;
  /** The limits that control groups enforce. */
  readonly enforced: readonly (keyof Limits)[];
  readonly processes: () => readonly ProcessStat[];
  readonly gaps: readonly string[];
}

const TMP_BYTES = 1024 ** 3;

/**
 * The agent's user does the killing, and the agent can stop that process for ever. Beside eight busy
 * loops on two cores an engine took five seconds for each command.
 */
const KILL_TIMEOUT = 120_000;

export async function inspectHost(needs: ContainerNeeds): Promise<Host> {
  if (process.platform !== 'linux') {
    throw new CellRefused(`containers do not run on ${process.platform}; run the worker on Linux`);
  }
  const engine = requireLocalEngine(needs);
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
      ...(filter
        ? []
        : [
            `system calls are filtered only by the default profile of ${engine.kind} on ${process.arch}`,
          ]),
      ...(engine.kind === 'docker'
        ? [
            'programs share the user namespace of the host, because Docker gives them none of their own',
          ]
        : []),
    ],
  };
}

function requireLocalEngine(location: EngineLocation): Engine {
  const engine = findEngine(location);
  if (engine === undefined) {
    throw new CellRefused(
      'neither podman nor docker is on the PATH; install one (apt install podman, ' +
        'dnf install podman), or run the worker on a machine that has one',
    );
  }
  const fault = daemonFault(engine);
  if (fault !== null) throw new CellRefused(fault);
  return engine;
}

/** Removed when this process exits; a killed process leaves it with its other temporary files. */
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
