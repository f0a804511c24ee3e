import { createMemoryTables } from '../../src/adapters/memory/tables.ts';
import { resume } from '../../src/domain/pausing.ts';
import { verifyTables } from '../support/verify-tables.ts';
import { Checker } from './checks/checker.ts';
import { restIsRight } from './checks/rest.ts';
import { searchFindsAll } from './checks/search.ts';
import { Chaos } from './clients/chaos.ts';
import { DeclaredHall } from './clients/declared-hall.ts';
import { Link } from './clients/link.ts';
import { operate } from './clients/operator.ts';
import { declareRequest, pausedThings, setInstanceRequest } from './clients/pool-requests.ts';
import { SimulatedWorkers } from './clients/workers.ts';
import { Network, SOUND_NETWORK } from './hall/network.ts';
import { HallNode } from './hall/node.ts';
import { TIMES } from './hall/times.ts';
import type { Scenario } from './scenarios.ts';
import { START } from './world/clock.ts';
import { Disk, SOUND_STORE } from './world/disk.ts';
import { drive } from './world/drive.ts';
import { Machine } from './world/machine.ts';
import { Trace } from './world/trace.ts';
import { withoutTheWorld } from './world/tripwires.ts';
import { World } from './world/world.ts';

export interface Verdict {
  /** The first violation, or undefined. */
  readonly violation: string | undefined;
  readonly hash: string;
  readonly steps: number;
  readonly counts: Readonly<Record<string, number>>;
}

const MAX_CALM_STEPS = 6_000;

/** Plays one story from its seed: a storm, then a calm in which everything must come to rest. */
export async function play(
  scenario: Scenario,
  seed: number,
  line?: (text: string) => void,
): Promise<Verdict> {
  const world = new World(seed, new Trace(line));
  const story = new Story(scenario, world);
  await withoutTheWorld(
    (what) => world.fail(`the hall asked the real world: ${what}`),
    () => story.tell(),
  );
  await allRejectionsAreSeen((fault) => {
    world.fail(`nobody looked at a rejected promise: ${fault.message}`);
  });
  const { violation, steps, trace } = world;
  return { violation, hash: trace.hash, steps, counts: story.counts };
}

/** Node reports unhandled rejections only after the whole story. */
async function allRejectionsAreSeen(told: (fault: Error) => void): Promise<void> {
  process.on('unhandledRejection', told);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', told);
}

class Story {
  readonly #scenario: Scenario;
  readonly #world: World;
  readonly #judge: Checker;
  readonly #stage: DeclaredHall;
  readonly #disk: Disk;
  readonly #nodes: readonly HallNode[];
  readonly #network: Network;
  readonly #crew: SimulatedWorkers;
  readonly #chaos: Chaos;
  #isCalm = false;
  #calmSince = 0;
  #atWork = 0;

  constructor(scenario: Scenario, world: World) {
    this.#scenario = scenario;
    this.#world = world;
    const judge = new Checker(world);
    this.#judge = judge;
    this.#stage = new DeclaredHall(scenario.staging);
    this.#disk = new Disk({
      world,
      isShared: scenario.nodes > 1,
      faults: scenario.store,
      decided: (group, machine) => judge.decided(group, machine),
      written: (group) => judge.committed(group),
    });
    const needs = { world, disk: this.#disk, declaration: () => this.#stage.declaration };
    this.#nodes = Array.from({ length: scenario.nodes }, (_, n) => {
      return new HallNode(`hall-${n + 1}`, needs);
    });
    judge.watch(this.#nodes);
    this.#network = new Network({
      world,
      faults: scenario.network,
      heard: (node, worker) => judge.silence.hear(node, worker),
      told: (request, reply) => judge.answers.hear(request, reply),
    });
    const parts = { world, network: this.#network, nodes: this.#nodes, ledger: judge.ledger };
    this.#crew = new SimulatedWorkers({ ...parts, ...scenario.crew, isCalm: () => this.#isCalm });
    const strike = { world, nodes: this.#nodes, crew: this.#crew };
    this.#chaos = new Chaos(strike, scenario.plagues, scenario.steps);
  }

  async tell(): Promise<void> {
    for (const node of this.#nodes) node.start();
    void this.#begin();
    const { steps } = this.#scenario;
    await drive(this.#world, () => {
      this.#chaos.strike();
      this.#judge.check(this.#disk);
      return this.#world.steps >= steps;
    });
    this.#calm();
    await drive(this.#world, () => {
      this.#judge.check(this.#disk);
      if (this.#world.steps >= steps + MAX_CALM_STEPS) this.#world.fail('it never comes to rest');
      return this.#isAtRest();
    });
    this.#atRest();
    await drive(this.#world, () => true);
  }

  get counts(): Readonly<Record<string, number>> {
    const { answers, ledger, commits } = this.#judge;
    const starts = this.#nodes.reduce((sum, node) => sum + node.starts, 0);
    const stored = Object.fromEntries(ledger.counts);
    const { terms } = ledger;
    return {
      ...stored,
      ...answers.counts,
      ...this.#disk.counts,
      ...this.#network.counts,
      commits,
      starts,
      terms,
    };
  }

  /** Sets the pool up, then lets everybody come. */
  async #begin(): Promise<void> {
    const { crew, operators } = this.#scenario;
    const office = this.#link('office');
    for (const instance of this.#stage.instances(START)) {
      await office.request(setInstanceRequest(office.key(), instance), { tries: 1_000 });
    }
    for (const { count, ...profile } of crew.profiles) {
      for (let n = 0; n < count; n += 1) this.#crew.hire(profile);
    }
    for (let n = 1; n <= operators.count; n += 1) {
      const link = this.#link(`operator ${n}`);
      const operator = { world: this.#world, ledger: this.#judge.ledger, stage: this.#stage };
      this.#atWork += 1;
      void operate({ ...operator, ...operators, link, isCalm: () => this.#isCalm }).then(() => {
        this.#atWork -= 1;
      });
    }
  }

  #link(name: string): Link {
    const parts = { world: this.#world, network: this.#network, nodes: this.#nodes };
    return new Link({ ...parts, machine: new Machine(name) });
  }

  /** No more faults, and a person lifts every pause. */
  #calm(): void {
    this.#world.trace.note('the storm is over');
    this.#isCalm = true;
    this.#calmSince = this.#world.now;
    this.#disk.faults = SOUND_STORE;
    this.#network.faults = SOUND_NETWORK;
    this.#chaos.end();
    this.#stage.restore();
    void this.#resumeAll();
  }

  async #resumeAll(): Promise<void> {
    const caretaker = this.#link('caretaker');
    this.#atWork += 1;
    while (this.#atWork > 1) await caretaker.pause(1_000);
    await caretaker.request(declareRequest(this.#stage, caretaker.key()));
    for (const what of pausedThings(this.#judge.ledger)) {
      const about = `resume ${JSON.stringify(what)}`;
      const key = caretaker.key();
      const change = { decide: (board: Parameters<typeof resume>[0]) => resume(board, what) };
      await caretaker.request({ verb: 'resume', actor: 'operator:caretaker', about, key, change });
    }
    this.#atWork -= 1;
  }

  async #searchIsRight(): Promise<void> {
    const fault = await searchFindsAll(this.#disk.inner, this.#judge.ledger.tasks);
    if (fault) this.#world.fail(fault);
  }

  /** Closed rows, words, notes and the chain of hashes too; dear, so not at the end of every story. */
  async #everythingIsTheFold(): Promise<void> {
    const [difference] = await verifyTables(this.#disk.inner, createMemoryTables(), 1);
    if (difference) this.#world.fail(difference);
  }

  #isAtRest(): boolean {
    const moved = Math.max(this.#judge.lastCommit, this.#calmSince);
    if (this.#world.now - moved < 1.7 * TIMES.lease) return false;
    if (this.#atWork > 0 || this.#nodes.some(({ hall }) => !hall)) return false;
    return this.#disk.flights.size === 0 && !this.#crew.alive.some(({ isBusy }) => isBusy);
  }

  #atRest(): void {
    if (this.#world.violation !== undefined) return;
    const { ledger } = this.#judge;
    const fixture = {
      ledger,
      nodes: this.#nodes,
      workers: this.#crew.workers,
      network: this.#network,
    };
    const fault = restIsRight(fixture);
    if (fault) this.#world.fail(fault);
    for (const { name, hall } of this.#nodes) {
      if (hall?.board.seq !== ledger.seq) this.#world.fail(`${name} has not followed the log`);
    }
    this.#judge.compare(this.#disk);
    void this.#searchIsRight();
    if (this.#world.random.chance(0.1)) void this.#everythingIsTheFold();
  }
}
