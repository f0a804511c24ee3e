import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CellRefused } from '../../ports/cell.ts';
import { type Engine, requireEngine, runEngine } from './engine.ts';
import { containerName, lockName, type NameLock } from './names.ts';
import { ownerOf } from './owner.ts';
import { containerId, isContainerId, removeContainer } from './sweep.ts';

/** One container of this worker, which runs enter one after another. */
export interface PooledContainer {
  readonly name: string;
  /** A path that leads where `show` last said. A container that starts mounts what is there then. */
  linkPath(name: string): string;
  /** Leads each of these to a path of the current run. */
  pointLinks(targets: Readonly<Record<string, string>>): void;
  /** The id of a container made so, stopped: the last one where it is the same, else a new one. */
  ensureContainer(options: readonly string[]): Promise<string>;
  /** Removes it: it could not be entered, or is not needed any more. */
  remove(): Promise<void>;
  release(): void;
}

interface PoolEntry extends PooledContainer {
  readonly instance: string;
  isBusy: boolean;
}

interface Needs {
  readonly engine: Engine;
  readonly prefix: string;
  /** Where the ways to the folders of runs are. */
  readonly folder: string;
}

/** The containers of one worker. A name once taken stays with it, so that nobody removes what it keeps. */
export function createContainerPool({ engine, prefix, folder }: Needs) {
  const entries = new Map<string, PoolEntry>();
  const locking = new Set<string>();

  async function tryAcquire(instance: string, count: number): Promise<PoolEntry | undefined> {
    const name = containerName(prefix, instance, count);
    const existing = entries.get(name);
    if (existing) return existing.isBusy ? undefined : existing;
    if (locking.has(name)) return undefined;
    locking.add(name);
    const lock = await lockUnused(engine, name);
    locking.delete(name);
    if (lock === undefined) return undefined;
    const container = createPooledContainer(engine, instance, { lock, folder: join(folder, name) });
    entries.set(name, container);
    return container;
  }

  return {
    async acquire(instance: string): Promise<PooledContainer> {
      for (let count = 1; ; count += 1) {
        const container = await tryAcquire(instance, count);
        if (container === undefined || container.isBusy) continue;
        container.isBusy = true;
        return container;
      }
    },
    /** Removes the containers of an instance that is no longer needed, where nobody is in them. */
    async removeIdle(instance: string): Promise<void> {
      for (const container of entries.values()) {
        if (container.instance !== instance || container.isBusy) continue;
        await container.remove();
      }
    },
  };
}

/** Undefined while another process has it, in whichever network namespace. */
async function lockUnused(engine: Engine, name: string): Promise<NameLock | undefined> {
  const lock = await lockName(name);
  if (lock === undefined || (await ownerOf(engine, name)) !== 'running') return lock;
  lock[Symbol.dispose]();
  return undefined;
}

function createPooledContainer(
  engine: Engine,
  instance: string,
  { lock, folder }: { readonly lock: NameLock; readonly folder: string },
): PoolEntry {
  const { name } = lock;
  mkdirSync(folder);
  const linkPath = (to: string) => join(folder, to);
  let current: { readonly id: string; readonly fingerprint: string } | undefined;
  return {
    name,
    instance,
    linkPath,
    isBusy: false,
    pointLinks(targets) {
      for (const [to, path] of Object.entries(targets)) symlinkSync(path, linkPath(to));
    },
    async ensureContainer(options) {
      const fingerprint = JSON.stringify(options);
      if (current?.fingerprint === fingerprint) return current.id;
      current = undefined;
      const id = await createContainer(engine, name, options);
      if (engine.kind === 'podman') await fixTmpMode(engine, id, folder);
      current = { id, fingerprint };
      return id;
    },
    async remove() {
      current = undefined;
      await removeContainer(engine, name);
    },
    release() {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      this.isBusy = false;
    },
  };
}

/**
 * An older runc (seen: 1.1.5) gives a memory that is mounted on a folder the mode of that folder, and makes the folder
 * for root alone when it starts a container whose image has none: from the second start on nobody could write
 * to /tmp. Docker lets nothing be copied to a root folder that is read-only, and comes with a newer one.
 */
async function fixTmpMode(engine: Engine, id: string, folder: string): Promise<void> {
  const path = join(folder, 'tmp');
  mkdirSync(path);
  chmodSync(path, 0o1777);
  await requireEngine(engine, ['cp', path, `${id}:/`]);
}

/** Not the one that a worker left who had this name before: its runs may still try to enter it. */
async function createContainer(
  engine: Engine,
  name: string,
  options: readonly string[],
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    await removeContainer(engine, name);
    const { code, stdout, lastError } = await runEngine(engine, [
      'create',
      '--name',
      name,
      ...options,
    ]);
    if (code === 0 && isContainerId(stdout)) return stdout;
    // What a worker asked for that was killed, the engine may have made just now.
    if (tries < MAX_TRIES && (await containerId(engine, name)) !== undefined) continue;
    const reason =
      lastError || `exit code ${code}, and ${JSON.stringify(stdout.slice(0, 200))} for an id`;
    throw new CellRefused(
      `${engine.kind} create failed: ${reason}; ${engine.kind} info shows whether it works here`,
    );
  }
}

const MAX_TRIES = 5;
