import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CellRefused } from '../../ports/cell.ts';
import { containerName, lockName, type NameLock } from './container-names.ts';
import { type Engine, runEngine } from './engine.ts';
import { ownerOf } from './owner.ts';
import { containerId, isContainerId, removeContainer } from './sweep.ts';
import { prepareTmp } from './tmp-mode.ts';

/** One container of this worker; runs enter it one after another. */
export interface PooledContainer {
  readonly name: string;
  /** A link to the target last set by `pointLinks`. A starting container mounts that target. */
  linkPath(name: string): string;
  /** Points each link to a path of the current run. */
  pointLinks(targets: Readonly<Record<string, string>>): void;
  /** The id of a stopped container with these options: the last one if they are the same, else a new one. */
  ensureContainer(options: readonly string[]): Promise<string>;
  /** Removes a container that could not be entered or is not needed. */
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
  /** Holds the links to the folders of runs. */
  readonly folder: string;
}

/**
 * The containers of one worker. The worker keeps each name it takes, so no other process removes its
 * containers.
 */
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
    /** Removes the idle containers of an instance that is no longer needed. */
    async removeIdle(instance: string): Promise<void> {
      for (const container of entries.values()) {
        if (container.instance !== instance || container.isBusy) continue;
        await container.remove();
      }
    },
  };
}

/** Undefined while another process holds the name, in any network namespace. */
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
      await prepareTmp(engine, id, folder);
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

/** Not the container of an earlier worker with this name: its runs may still try to enter it. */
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
    // The engine may only now have created what a killed worker requested.
    if (tries < MAX_TRIES && (await containerId(engine, name)) !== undefined) continue;
    const reason =
      lastError ||
      `exit code ${code}, and ${JSON.stringify(stdout.slice(0, 200))} instead of an id`;
    throw new CellRefused(
      `${engine.kind} create failed: ${reason}; check the engine with: ${engine.kind} info`,
    );
  }
}

const MAX_TRIES = 5;
