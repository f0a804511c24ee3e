import type { HallNode } from '../hall/node.ts';
import { TIMES } from '../hall/times.ts';
import { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';
import type { SimulatedWorkers } from './workers.ts';

/** How often each of these happens in one story. */
export interface FaultRates {
  readonly killHall: number;
  readonly stopHall: number;
  readonly pauseHall: number;
  readonly killWorker: number;
  readonly pauseWorker: number;
  readonly jumpAhead: number;
  readonly jumpBack: number;
}

export const NO_FAULTS: FaultRates = {
  killHall: 0,
  stopHall: 0,
  pauseHall: 0,
  killWorker: 0,
  pauseWorker: 0,
  jumpAhead: 0,
  jumpBack: 0,
};

const DAY = 86_400_000;

interface Needs {
  readonly world: World;
  readonly nodes: readonly HallNode[];
  readonly crew: SimulatedWorkers;
}

/** Injects faults at steps that the seed picks in advance. */
export class Chaos {
  readonly #needs: Needs;
  readonly #due: { readonly step: number; readonly plague: keyof FaultRates }[];
  readonly #fate = new Machine('fate');
  readonly #paused = new Set<Machine>();

  constructor(needs: Needs, plagues: FaultRates, steps: number) {
    this.#needs = needs;
    const { random } = needs.world;
    const names = Object.keys(plagues) as (keyof FaultRates)[];
    this.#due = names
      .flatMap((plague) => Array.from({ length: plagues[plague] }, () => plague))
      .map((plague) => ({ step: random.between(30, steps), plague }))
      .sort((a, b) => b.step - a.step);
  }

  strike(): void {
    const { world } = this.#needs;
    for (let next = this.#due.at(-1); next && next.step <= world.steps; next = this.#due.at(-1)) {
      this.#due.pop();
      this.#do(next.plague);
    }
  }

  /** The faults are over: stopped processes resume. */
  end(): void {
    this.#due.length = 0;
    for (const machine of this.#paused) this.#needs.world.resume(machine);
    this.#paused.clear();
  }

  #do(plague: keyof FaultRates): void {
    const { world, crew } = this.#needs;
    const { random } = world;
    const node = this.#target();
    const worker = random.any(crew.alive);
    world.trace.note(`plague: ${plague}`);
    switch (plague) {
      case 'killHall':
        return node.kill(random.between(100, 20_000));
      case 'stopHall':
        return void node.stop(random.between(100, 5_000));
      case 'pauseHall':
        return this.#pause(node.machine, random.between(1_000, 3 * TIMES.lease));
      case 'killWorker':
        return worker && crew.kill(worker);
      case 'pauseWorker':
        return worker && this.#pause(worker.machine, 3 * TIMES.lease);
      case 'jumpAhead':
        node.wall.offset += random.pick([7 * DAY, DAY, 600_000]);
        return;
      case 'jumpBack':
        node.wall.offset -= random.pick([30 * DAY, DAY, 600_000]);
    }
  }

  /** Mostly the node that leads. */
  #target(): HallNode {
    const { world, nodes } = this.#needs;
    const leader = nodes.find(({ hall }) => hall?.leading() !== undefined);
    return leader && world.random.chance(0.8) ? leader : world.random.pick(nodes);
  }

  #pause(machine: Machine, delay: number): void {
    const { world } = this.#needs;
    if (!machine.isAlive || machine.isStopped) return;
    machine.stop(world.now);
    this.#paused.add(machine);
    world.plan(this.#fate, `${machine.name} goes on`, delay, () => {
      if (this.#paused.delete(machine)) world.resume(machine);
    });
  }
}
