import { openClusteredHall } from '../../../src/board/clustered-hall.ts';
import { type Hall, openHall } from '../../../src/board/hall.ts';
import type { Declaration } from '../../../src/domain/apply-config.ts';
import type { Log } from '../../../src/ports/log.ts';
import { clockOf, type Wall } from '../world/clock.ts';
import type { Disk } from '../world/disk.ts';
import { leadershipOf } from '../world/leadership.ts';
import { Machine } from '../world/machine.ts';
import { storeOf } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { LEADERSHIP_TIMES, TIMES } from './times.ts';

interface Needs {
  readonly world: World;
  readonly disk: Disk;
  readonly declaration: () => Declaration;
}

/** A hall process that is started, dies and is started again, on a machine with one wall clock. */
export class HallNode {
  readonly name: string;
  readonly wall: Wall = { offset: 0 };
  /** How often it was started. */
  starts = 0;
  machine: Machine;
  hall: Hall | undefined;
  readonly #needs: Needs;

  constructor(name: string, needs: Needs) {
    this.name = name;
    this.#needs = needs;
    this.machine = new Machine(name);
  }

  get url(): string {
    return `http://${this.name}`;
  }

  start(): void {
    const { world } = this.#needs;
    this.starts += 1;
    this.machine = new Machine(this.name);
    this.hall = undefined;
    const { machine } = this;
    const opened = this.#open(machine);
    opened.then(
      (hall) => {
        if (machine.isAlive) this.#opened(hall);
      },
      (fault: Error) => {
        world.trace.note(`${this.name} did not start: ${fault.message}`);
        this.#die(machine, 1_000);
      },
    );
  }

  /** Listeners get every event once, in order, whether the node leads or follows. */
  #opened(hall: Hall): void {
    this.hall = hall;
    let last = hall.board.seq;
    hall.subscribe((events) => {
      for (const { seq } of events) {
        if (seq !== last + 1) this.#needs.world.fail(`${this.name} tells of ${seq} after ${last}`);
        last = seq;
      }
    });
  }

  /** Ends the process in the middle of whatever it does; it is started again after a while. */
  kill(startAfter: number): void {
    this.#needs.world.trace.note(`${this.name} is killed`);
    this.#die(this.machine, startAfter);
  }

  /** Stops it gracefully: open requests are answered first. */
  async stop(startAfter: number): Promise<void> {
    const { hall, machine } = this;
    this.#needs.world.trace.note(`${this.name} is told to stop`);
    await hall?.stop();
    this.#die(machine, startAfter);
  }

  #open(machine: Machine): Promise<Hall> {
    const { world, disk, declaration } = this.#needs;
    const needs = {
      store: storeOf(disk, machine),
      clock: clockOf(world, machine, this.wall),
      log: logOf(world),
      times: TIMES,
      declaration,
      broken: (fault: Error) => {
        world.trace.note(`${this.name} is broken: ${fault.message}`);
        world.plan(machine, 'exit', 0, () => this.#die(machine, 2_000));
      },
    };
    if (!disk.isShared) return openHall(needs);
    const leadership = leadershipOf(disk, machine);
    return openClusteredHall({ ...needs, leadership, url: this.url, pace: LEADERSHIP_TIMES });
  }

  #die(machine: Machine, startAfter: number): void {
    if (!machine.isAlive) return;
    const { world, disk } = this.#needs;
    machine.kill();
    this.hall = undefined;
    disk.abandon(machine);
    world.plan(disk.machine, `start ${this.name}`, startAfter, () => this.start());
  }
}

function logOf({ trace }: World): Log {
  return {
    info: (message) => trace.note(message),
    warn: (message) => trace.note(`warning: ${message}`),
    error: (message, facts) => trace.note(`error: ${message} ${facts?.['fault'] ?? ''}`),
  };
}
