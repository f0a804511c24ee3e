import type { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';
import type { Reply, Request } from './message.ts';
import type { HallNode } from './node.ts';
import { type OnHeartbeat, type PendingRequest, receive } from './request-handler.ts';

/** How likely each fault of the network is, per message. */
export interface NetworkFaults {
  readonly lose: number;
  readonly duplicate: number;
  /** Takes seconds, so later messages overtake it. */
  readonly slow: number;
}

export const SOUND_NETWORK: NetworkFaults = { lose: 0, duplicate: 0, slow: 0 };

interface Needs {
  readonly world: World;
  readonly faults: NetworkFaults;
  readonly heard: OnHeartbeat;
  /** Every answer that reaches a client, also one that is late or comes twice. */
  readonly told: (request: Request, reply: Reply) => void;
}

/** Messages between clients and hall nodes. They are lost, doubled, delayed and overtake each other. */
export class Network {
  readonly world: World;
  faults: NetworkFaults;
  readonly counts = { lost: 0, doubled: 0 };
  readonly #heard: OnHeartbeat;
  readonly #told: (request: Request, reply: Reply) => void;
  #visits: { readonly visit: PendingRequest; readonly machine: Machine }[] = [];

  constructor({ world, faults, heard, told }: Needs) {
    this.world = world;
    this.faults = faults;
    this.#heard = heard;
    this.#told = told;
  }

  /** Sends a request; answers come as they come. The result tells the node that the client went away. */
  send(
    from: Machine,
    node: HallNode,
    request: Request,
    answered: (reply: Reply) => void,
  ): () => void {
    const { machine } = node;
    const visits: PendingRequest[] = [];
    if (!machine.isAlive) {
      this.#carry(from, `${request.verb}: nobody there`, () => answered(NOBODY));
      return () => undefined;
    }
    const reply = (given: Reply) => {
      this.#carry(from, `${request.verb} answered`, () => {
        this.#told(request, given);
        answered(given);
      });
    };
    this.#carry(machine, `${request.verb} arrives`, () => {
      const visit = receive(node, request, { heard: this.#heard, reply });
      visits.push(visit);
      this.#visits.push({ visit, machine });
    });
    return () => {
      this.#carry(machine, `${request.verb} cancelled`, () => {
        for (const visit of visits) visit.cancel();
      });
    };
  }

  /** Requests that reached a living node, are no waiting claim and were never answered. */
  unanswered(): readonly Request[] {
    this.#visits = this.#visits.filter(({ visit, machine }) => {
      return machine.isAlive && !visit.isAnswered;
    });
    return this.#visits.map(({ visit }) => visit.request).filter(({ claim }) => !claim);
  }

  #carry(to: Machine, label: string, arrive: () => void): void {
    const { random } = this.world;
    if (random.chance(this.faults.lose)) {
      this.counts.lost += 1;
      return;
    }
    this.world.plan(to, label, this.#latency(), arrive);
    if (!random.chance(this.faults.duplicate)) return;
    this.counts.doubled += 1;
    this.world.plan(to, `${label} again`, this.#latency(), arrive);
  }

  #latency(): number {
    const { random } = this.world;
    if (random.chance(this.faults.slow)) return random.between(200, 6_000);
    return random.chance(0.5) ? 0 : random.between(1, 30);
  }
}

const NOBODY: Reply = { is: 'away', url: undefined };
