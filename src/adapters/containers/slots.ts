import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CellRefused } from '../../ports/cell.ts';
import { containerName, lockName, type NameLock } from './names.ts';
import { ownerOf } from './owner.ts';
import { ask, need, type Runtime } from './runtime.ts';
import { containerId, isId, removeContainer } from './sweep.ts';

/** One container of this worker, which runs enter one after another. */
export interface Slot {
  readonly name: string;
  /** A path that leads where `show` last said. A container that starts mounts what is there then. */
  way(name: string): string;
  /** Leads each of these to a path of the current run. */
  show(ways: Readonly<Record<string, string>>): void;
  /** The id of a container made so, stopped: the last one where it is the same, else a new one. */
  containerOf(options: readonly string[]): Promise<string>;
  /** Removes it: it could not be entered, or is not needed any more. */
  discard(): Promise<void>;
  leave(): void;
}

interface Held extends Slot {
  readonly instance: string;
  isBusy: boolean;
}

interface Needs {
  readonly runtime: Runtime;
  readonly prefix: string;
  /** Where the ways to the folders of runs are. */
  readonly folder: string;
}

/** The containers of one worker. A name once taken stays with it, so that nobody removes what it keeps. */
export function createSlots({ runtime, prefix, folder }: Needs) {
  const held = new Map<string, Held>();
  const asking = new Set<string>();

  async function taken(instance: string, count: number): Promise<Held | undefined> {
    const name = containerName(prefix, instance, count);
    const known = held.get(name);
    if (known) return known.isBusy ? undefined : known;
    if (asking.has(name)) return undefined;
    asking.add(name);
    const lock = await lockUnused(runtime, name);
    asking.delete(name);
    if (lock === undefined) return undefined;
    const slot = createSlot(runtime, instance, { lock, folder: join(folder, name) });
    held.set(name, slot);
    return slot;
  }

  return {
    async take(instance: string): Promise<Slot> {
      for (let count = 1; ; count += 1) {
        const slot = await taken(instance, count);
        if (slot === undefined || slot.isBusy) continue;
        slot.isBusy = true;
        return slot;
      }
    },
    /** Removes the containers of an instance that is no longer needed, where nobody is in them. */
    async drop(instance: string): Promise<void> {
      for (const slot of held.values()) {
        if (slot.instance !== instance || slot.isBusy) continue;
        await slot.discard();
      }
    },
  };
}

/** Undefined while another process has it, in whichever network namespace. */
async function lockUnused(runtime: Runtime, name: string): Promise<NameLock | undefined> {
  const lock = await lockName(name);
  if (lock === undefined || (await ownerOf(runtime, name)) !== 'running') return lock;
  lock[Symbol.dispose]();
  return undefined;
}

function createSlot(
  runtime: Runtime,
  instance: string,
  { lock, folder }: { readonly lock: NameLock; readonly folder: string },
): Held {
  const { name } = lock;
  mkdirSync(folder);
  const way = (to: string) => join(folder, to);
  let made: { readonly id: string; readonly print: string } | undefined;
  return {
    name,
    instance,
    way,
    isBusy: false,
    show(ways) {
      for (const [to, path] of Object.entries(ways)) symlinkSync(path, way(to));
    },
    async containerOf(options) {
      const print = JSON.stringify(options);
      if (made?.print === print) return made.id;
      made = undefined;
      const id = await create(runtime, name, options);
      if (runtime.kind === 'podman') await layTemporary(runtime, id, folder);
      made = { id, print };
      return id;
    },
    async discard() {
      made = undefined;
      await removeContainer(runtime, name);
    },
    leave() {
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
async function layTemporary(runtime: Runtime, id: string, folder: string): Promise<void> {
  const path = join(folder, 'tmp');
  mkdirSync(path);
  chmodSync(path, 0o1777);
  await need(runtime, ['cp', path, `${id}:/`]);
}

/** Not the one that a worker left who had this name before: its runs may still try to enter it. */
async function create(runtime: Runtime, name: string, options: readonly string[]): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    await removeContainer(runtime, name);
    const { code, out, complaint } = await ask(runtime, ['create', '--name', name, ...options]);
    if (code === 0 && isId(out)) return out;
    // What a worker asked for that was killed, the engine may have made just now.
    if (tries < MOST_TRIES && (await containerId(runtime, name)) !== undefined) continue;
    const said =
      complaint || `exit code ${code}, and ${JSON.stringify(out.slice(0, 200))} for an id`;
    throw new CellRefused(
      `${runtime.kind} create failed: ${said}; ${runtime.kind} info shows whether it works here`,
    );
  }
}

const MOST_TRIES = 5;
