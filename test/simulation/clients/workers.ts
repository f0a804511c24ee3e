import type { Ledger } from '../checks/ledger.ts';
import type { Network } from '../hall/network.ts';
import type { HallNode } from '../hall/node.ts';
import { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';
import { Link } from './link.ts';
import { type Profile, type Temper, Worker } from './worker.ts';

interface Needs {
  readonly world: World;
  readonly network: Network;
  readonly nodes: readonly HallNode[];
  readonly ledger: Ledger;
  readonly temper: Temper;
  readonly workFor: readonly [least: number, most: number];
  readonly deadly: number;
  readonly tools: number;
  readonly longestPoll: number;
  readonly impatience: number;
  readonly isCalm: () => boolean;
}

/** Once the faults are over, all workers finish quickly and successfully, so a stuck task stands out. */
const CALM_TEMPER: Temper = {
  complete: 1,
  openPullRequest: 0,
  fail: 0,
  reject: 0,
  defer: 0,
  ask: 0,
  leave: 0,
  vanish: 0,
};
const CALM_WORK = [500, 2_000] as const;

/** All workers of a story. One that dies is replaced by a fresh process after a while. */
export class SimulatedWorkers {
  readonly workers: Worker[] = [];
  readonly #needs: Needs;
  #hired = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get alive(): readonly Worker[] {
    return this.workers.filter(({ machine }) => machine.isAlive);
  }

  hire(profile: Profile): void {
    const { world, network, nodes, temper, workFor, isCalm } = this.#needs;
    this.#hired += 1;
    const machine = new Machine(`worker ${this.#hired}`);
    const link = new Link({ world, network, nodes, machine });
    const worker: Worker = new Worker({
      ...this.#needs,
      link,
      profile,
      temper: () => (isCalm() ? CALM_TEMPER : temper),
      workFor: () => (isCalm() ? CALM_WORK : workFor),
      vanish: () => this.kill(worker),
    });
    this.workers.push(worker);
    void worker.live();
  }

  kill(worker: Worker): void {
    const { world, isCalm } = this.#needs;
    if (!worker.machine.isAlive) return;
    world.trace.note(`${worker.machine.name} dies`);
    worker.machine.kill();
    const successor = new Machine('host');
    world.plan(successor, 'hires', world.random.between(1_000, isCalm() ? 5_000 : 30_000), () => {
      this.hire(worker.profile);
    });
  }
}
