import { createMemoryStore } from '../../../src/adapters/memory/store.ts';
import {
  type Group,
  GroupRefused,
  type Head,
  LeadershipLost,
  StoreFailed,
} from '../../../src/ports/store.ts';
import { slight } from './clock.ts';
import { Machine } from './machine.ts';
import type { World } from './world.ts';

/** How likely each fault of the store is, per call. */
export interface StoreFaults {
  readonly refuse: number;
  readonly broken: number;
  readonly lostReply: number;
  readonly slowRecall: number;
  /** A write that takes seconds, so commands that arrive meanwhile share the next one. */
  readonly slowAppend: number;
}

export const SOUND_STORE: StoreFaults = {
  refuse: 0,
  broken: 0,
  lostReply: 0,
  slowRecall: 0,
  slowAppend: 0,
};

/** A group on its way to the disk. */
export interface Flight {
  readonly machine: Machine;
  readonly group: Group;
  /** True from when the disk has been asked until it has written. */
  isSent: boolean;
}

interface Needs {
  readonly world: World;
  /** True when several nodes write, and a group may be written after its writer has died. */
  readonly isShared: boolean;
  readonly faults: StoreFaults;
  readonly decided: (group: Group, machine: Machine) => void;
  readonly written: (group: Group) => void;
}

/** The state that outlives every process: tables, log and the leader row. */
export class Disk {
  readonly world: World;
  readonly isShared: boolean;
  readonly machine = new Machine('disk');
  readonly inner = createMemoryStore();
  readonly head = { epoch: 0, heartbeat: 0, url: '' };
  readonly flights = new Set<Flight>();
  /** Called whenever the log or its head moved. */
  readonly watchers = new Set<() => void>();
  faults: StoreFaults;
  /** How often each fault happened. */
  readonly counts = { refused: 0, broken: 0, lostReplies: 0, leadershipLost: 0 };
  readonly #brokenFor = new Set<Machine>();
  readonly #decided: (group: Group, machine: Machine) => void;
  readonly #written: (group: Group) => void;

  constructor({ world, isShared, faults, decided, written }: Needs) {
    this.world = world;
    this.isShared = isShared;
    this.faults = faults;
    this.#decided = decided;
    this.#written = written;
  }

  /** A process that saw the disk fail may not write again. */
  reportBroken(machine: Machine): StoreFailed {
    this.counts.broken += 1;
    this.#brokenFor.add(machine);
    return new StoreFailed('the disk failed');
  }

  /** A process hands a group over. */
  take(flight: Flight): void {
    const { machine, group } = flight;
    if (!machine.isAlive) return;
    this.flights.add(flight);
    this.#decided(group, machine);
    if (this.#brokenFor.has(machine)) this.world.fail(`${machine.name} writes on a broken disk`);
  }

  /** True while the node's memory is ahead of what is stored. */
  isWriting(machine: Machine): boolean {
    for (const flight of this.flights) if (flight.machine === machine) return true;
    return false;
  }

  /** Writes the group, or throws what the real store would throw. */
  async commit(flight: Flight): Promise<Head> {
    const { group } = flight;
    flight.isSent = false;
    if (this.isShared && group.epoch !== this.head.epoch) {
      this.counts.leadershipLost += 1;
      throw new LeadershipLost(`epoch ${this.head.epoch} has begun`);
    }
    const head = await this.inner.append({ ...group, epoch: 0 }).catch((fault: Error) => {
      if (fault instanceof GroupRefused) this.world.fail(`a wrong group: ${fault.message}`);
      if (!this.isShared) this.world.fail(`the only writer was told: ${fault.message}`);
      throw fault;
    });
    this.#written(group);
    for (const watcher of this.watchers) watcher();
    return head;
  }

  /**
   * The process died. What it had handed to its own disk is there or not, and stays so; what it had
   * sent to a server arrives by itself.
   */
  abandon(machine: Machine): void {
    for (const flight of this.flights) {
      if (flight.machine !== machine) continue;
      this.flights.delete(flight);
      if (this.isShared || !flight.isSent || this.world.random.chance(0.5)) continue;
      void this.commit(flight).catch((fault: Error) => this.world.fail(fault.message));
    }
  }
}

/** One durable write: asked, on disk, answered. A crash between two of these is a crash at that await. */
export function append(disk: Disk, machine: Machine, group: Group): Promise<Head> {
  const { world } = disk;
  const flight: Flight = { machine, group, isSent: false };
  disk.take(flight);
  return new Promise((resolve, reject) => {
    function answer(label: string, delay: number, give: () => void): void {
      world.plan(machine, label, delay, () => {
        disk.flights.delete(flight);
        give();
      });
    }
    function delay(): number {
      const isLost = disk.isShared && world.random.chance(disk.faults.lostReply);
      if (isLost) disk.counts.lostReplies += 1;
      return isLost ? world.random.between(2_000, 8_000) : slight(world);
    }
    function told(head: Head): void {
      answer('append answered', delay(), () => resolve(head));
    }
    function failed(fault: Error): void {
      answer(`append: ${fault.name}`, delay(), () => reject(fault));
    }
    function write(): void {
      if (!world.random.chance(disk.faults.broken)) {
        disk.commit(flight).then(told, failed);
        return;
      }
      const half = world.random.chance(0.5) ? disk.commit(flight) : Promise.resolve();
      const tell = () => answer('append broken', 0, () => reject(disk.reportBroken(machine)));
      half.then(tell, tell);
    }
    world.plan(machine, 'append asked', slight(world), () => {
      if (world.random.chance(disk.faults.refuse)) {
        disk.counts.refused += 1;
        answer('append refused', slight(world), () => reject(new GroupRefused('a constraint')));
        return;
      }
      flight.isSent = true;
      const isSlow = world.random.chance(disk.faults.slowAppend);
      const delay = isSlow ? world.random.between(200, 3_000) : slight(world);
      world.plan(disk.isShared ? disk.machine : machine, 'append is written', delay, write);
    });
  });
}
