import { createMemoryStore } from '../../src/adapters/memory/store.ts';
import type { Leadership } from '../../src/ports/leadership.ts';
import { LeadershipLost, type Store } from '../../src/ports/store.ts';

/** A store in memory that several nodes of a hall share, with a network that can be cut for one of them. */
export class SharedMemory {
  readonly head = { epoch: 0, heartbeat: 0, url: '' };
  readonly #inner = createMemoryStore();
  readonly #wakes = new Set<() => void>();

  node(network: Network = { reach: async () => undefined }): SharedNode {
    const at = async <T>(act: () => Promise<T>) => {
      await network.reach();
      return act();
    };
    const store: Store = {
      ...this.#inner,
      head: () => at(() => this.#inner.head()),
      recall: (keys) => at(() => this.#inner.recall(keys)),
      append: (group) => at(() => this.#append(group)),
    };
    return { store, leadership: this.#leadership(at) };
  }

  async #append(group: Parameters<Store['append']>[0]) {
    if (group.epoch !== this.head.epoch)
      throw new LeadershipLost(`epoch ${this.head.epoch} has begun`);
    return this.#inner.append({ ...group, epoch: 0 });
  }

  #leadership(at: <T>(act: () => Promise<T>) => Promise<T>): Leadership {
    const { head } = this;
    return {
      look: () => at(async () => ({ ...head, seq: (await this.#inner.head()).seq })),
      takeOver: (seen, url) =>
        at(async () => {
          if (head.epoch !== seen.epoch || head.heartbeat !== seen.heartbeat) return undefined;
          this.#move(url);
          return head.epoch;
        }),
      heartbeat: (epoch) =>
        at(async () => {
          if (head.epoch === epoch) head.heartbeat += 1;
          return head.epoch === epoch;
        }),
      stepDown: (epoch) =>
        at(async () => {
          if (head.epoch === epoch) this.#move('');
        }),
      onMove: (wake) => {
        const own = () => wake();
        this.#wakes.add(own);
        return { stop: () => void this.#wakes.delete(own) };
      },
    };
  }

  #move(url: string): void {
    Object.assign(this.head, {
      epoch: this.head.epoch + 1,
      heartbeat: this.head.heartbeat + 1,
      url,
    });
    for (const wake of this.#wakes) wake();
  }
}

interface SharedNode {
  readonly store: Store;
  readonly leadership: Leadership;
}

interface Network {
  /** Resolves when the store can be reached, or rejects with its fault. */
  reach(): Promise<void>;
}
