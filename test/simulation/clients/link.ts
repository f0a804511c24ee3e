import type { Reply, Request } from '../hall/message.ts';
import type { Network } from '../hall/network.ts';
import type { HallNode } from '../hall/node.ts';
import type { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';

const PATIENCE = 4_000;

interface Needs {
  readonly world: World;
  readonly network: Network;
  readonly nodes: readonly HallNode[];
  readonly machine: Machine;
}

interface Persistence {
  readonly tries?: number;
  /** How long an answer is waited for before the request is repeated. */
  readonly patience?: number;
}

/** A client's connection to the hall: it finds the leader and repeats unanswered requests. */
export class Link {
  readonly machine: Machine;
  readonly #needs: Needs;
  #node: HallNode;
  #keys = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.machine = needs.machine;
    this.#node = needs.world.random.pick(needs.nodes);
  }

  /** A name for one request that no other has, however often it is repeated. */
  key(): string {
    this.#keys += 1;
    return `${this.machine.name}-${this.#keys}`;
  }

  /** Asks until there is a yes or a no; undefined when it was asked so often in vain. */
  async request(
    request: Request,
    { tries = 12, patience = PATIENCE + (request.claim?.wait ?? 0) }: Persistence = {},
  ): Promise<Reply | undefined> {
    const { world, nodes } = this.#needs;
    const { random } = world;
    // A balancer in front of the nodes sends some requests anywhere.
    if (nodes.length > 1 && random.chance(0.2)) this.#node = random.pick(nodes);
    for (let n = 0; n < tries; n += 1) {
      const reply = await this.#once(request, patience);
      if (reply?.is === 'done' || reply?.is === 'refused') return reply;
      this.#look(reply);
      await this.pause(random.between(100, 200 * 2 ** Math.min(n, 5)));
    }
    return undefined;
  }

  /** Sends a request and does not wait for the answer. */
  send(request: Request): void {
    const { network } = this.#needs;
    network.send(this.machine, this.#node, request, (reply) => {
      if (reply.is === 'away') this.#look(reply);
    });
  }

  pause(delay: number): Promise<void> {
    return this.#needs.world.sleep(this.machine, 'waits', delay);
  }

  #once(request: Request, patience: number): Promise<Reply | undefined> {
    const { world, network } = this.#needs;
    return new Promise((resolve) => {
      let isOver = false;
      const end = (reply: Reply | undefined) => {
        if (isOver) return;
        isOver = true;
        timeout.isOff = true;
        resolve(reply);
      };
      const leave = network.send(this.machine, this.#node, request, end);
      const timeout = world.plan(this.machine, `${request.verb} timed out`, patience, () => {
        leave();
        end(undefined);
      });
    });
  }

  /** Goes where it was sent, or tries anybody. */
  #look(reply: Reply | undefined): void {
    const { world, nodes } = this.#needs;
    const url = reply?.is === 'away' ? reply.url : undefined;
    this.#node = nodes.find((node) => node.url === url) ?? world.random.pick(nodes);
  }
}
