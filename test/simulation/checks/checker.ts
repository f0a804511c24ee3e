import { Board } from '../../../src/domain/board.ts';
import { claim } from '../../../src/domain/claiming.ts';
import type { Recorded } from '../../../src/domain/event.ts';
import { evolve } from '../../../src/domain/evolve.ts';
import type { WorkerId } from '../../../src/domain/ids.ts';
import { isRefusal } from '../../../src/domain/refusal.ts';
import type { Group } from '../../../src/ports/store.ts';
import type { HallNode } from '../hall/node.ts';
import type { Disk } from '../world/disk.ts';
import type { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';
import { Answers } from './answers.ts';
import { boardIsRight, boardsAgree } from './boards.ts';
import { Ledger } from './ledger.ts';
import { Silence } from './silence.ts';

/** How many commits pass between two comparisons of whole boards. */
const COMPARE_EVERY = 32;
const LOOK_EVERY = 40;

/** Watches the whole story and reports the first violation. */
/** The facts of an event in one line, for reading a story. */
function describeEvent({ seq, event, actor, cause }: Recorded): string {
  const { type, ...facts } = event;
  return `${seq} ${type} by ${actor}, ${cause}: ${JSON.stringify(facts)}`;
}

export class Checker {
  readonly ledger: Ledger;
  readonly answers: Answers;
  readonly silence: Silence;
  /** The fold of everything that was stored. */
  readonly fold = new Board();
  commits = 0;
  /** Virtual time of the last commit that changed anything. */
  lastCommit = 0;
  readonly #world: World;
  #nodes: readonly HallNode[] = [];
  #isMoved = false;
  #refusals = 0;

  constructor(world: World) {
    this.#world = world;
    this.ledger = new Ledger({ now: () => world.now, fail: (because) => world.fail(because) });
    this.answers = new Answers(this.ledger);
    this.silence = new Silence(world, this.ledger);
  }

  watch(nodes: readonly HallNode[]): void {
    this.#nodes = nodes;
  }

  /** A group was decided and is on its way to the disk. */
  decided(group: Group, machine: Machine): void {
    const node = this.#nodes.find((each) => each.machine === machine);
    if (node) for (const recorded of group.events) this.silence.read(node, recorded);
  }

  /** A group became durable. */
  committed(group: Group): void {
    for (const recorded of group.events) {
      evolve(this.fold, recorded);
      this.#world.trace.note(() => describeEvent(recorded));
    }
    this.fold.commit();
    this.ledger.commit(group.events);
    this.commits += 1;
    if (group.events.length > 0) this.lastCommit = this.#world.now;
    this.#isMoved = true;
  }

  /** After every step. */
  check(disk: Disk): void {
    const leader = this.#leader();
    if (!leader) return;
    this.silence.meet(leader);
    if (this.#world.steps % LOOK_EVERY === 0) this.#lookForSilent(leader);
    if (disk.isWriting(leader.machine)) return;
    if (!disk.isShared && leader.hall?.board.seq !== this.fold.seq) {
      this.ledger.fail(`the memory of ${leader.name} is at event ${leader.hall?.board.seq}`);
    }
    if (disk.counts.refused !== this.#refusals) {
      this.#refusals = disk.counts.refused;
      this.compare(disk);
    }
    if (!this.#isMoved) return;
    this.#isMoved = false;
    this.#nobodyIsLeftWaiting(leader);
    if (this.commits % COMPARE_EVERY === 0) this.compare(disk);
  }

  /** The heavy comparison: memory of all nodes that are not behind, tables, fold and ledger. */
  compare(disk: Disk): void {
    const memories = this.#nodes.flatMap(({ name, hall, machine }) => {
      if (!hall || disk.isWriting(machine) || hall.board.seq !== this.fold.seq) return [];
      return [{ name: `the memory of ${name}`, board: hall.board }];
    });
    const fault = boardIsRight(this.fold, this.ledger);
    if (fault) this.ledger.fail(fault);
    void boardsAgree(this.fold, disk.inner, memories).then((difference) => {
      if (difference) this.ledger.fail(difference);
    });
  }

  /** The group that makes a task claimable gives it to a waiting worker. */
  #nobodyIsLeftWaiting({ hall, name }: HallNode): void {
    const writer = hall?.leading()?.writer;
    if (!writer || writer.board.seq !== this.fold.seq) return;
    const { board, waiters } = writer;
    for (const worker of board.workers.values()) {
      if (!waiters.includes(worker.id)) continue;
      const run = board.runOf.get(worker.id);
      if (run !== undefined) {
        this.ledger.fail(`worker ${worker.id} waits at ${name} and was not told of run ${run}`);
        continue;
      }
      const { answer } = claim(board, worker, waiters);
      if (isRefusal(answer)) continue;
      this.ledger.fail(`worker ${worker.id} waits at ${name}, and could have task ${answer.task}`);
    }
  }

  #lookForSilent(leader: HallNode): void {
    const waiters = leader.hall?.leading()?.writer.waiters;
    this.silence.look(leader, (worker: WorkerId) => waiters?.includes(worker) ?? false);
  }

  #leader(): HallNode | undefined {
    for (const node of this.#nodes) if (node.machine.isAlive && node.hall?.leading()) return node;
    return undefined;
  }
}
