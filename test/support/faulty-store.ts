import {
  type Group,
  GroupRefused,
  type Store,
  StoreFailed,
  StoreFull,
  StoreUnavailable,
} from '../../src/ports/store.ts';

/** A real store whose appends can be held or made to fail before anything is written. */
export interface FaultyStore extends Store {
  /** The groups that were written, in order. */
  readonly written: Group[];
  /** Appends wait from now on, until `release`. */
  hold(): void;
  release(): void;
  /** What the next append does instead of writing. */
  failNext(fault: 'refuse' | 'break'): void;
  /** Recalls fail from now on. */
  failReads(): void;
  mendReads(): void;
  /** There is no space for appends from now on, until `makeSpace`. */
  fill(): void;
  makeSpace(): void;
}

export function createFaultyStore(store: Store): FaultyStore {
  let gate: Promise<void> | undefined;
  let open: (() => void) | undefined;
  let fault: 'refuse' | 'break' | undefined;
  let canRead = true;
  let isFull = false;
  const written: Group[] = [];
  return {
    ...store,
    written,
    async recall(keys) {
      if (!canRead) throw new StoreUnavailable('not readable in the test');
      return store.recall(keys);
    },
    async append(group) {
      await gate;
      const failing = fault;
      fault = undefined;
      if (failing === 'refuse') throw new GroupRefused('refused by the test');
      if (isFull) throw new StoreFull('full in the test');
      if (failing === 'break') throw new StoreFailed('broken by the test');
      const head = await store.append(group);
      written.push(group);
      return head;
    },
    hold() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release() {
      open?.();
      gate = undefined;
    },
    failNext(kind) {
      fault = kind;
    },
    failReads() {
      canRead = false;
    },
    mendReads() {
      canRead = true;
    },
    fill() {
      isFull = true;
    },
    makeSpace() {
      isFull = false;
    },
  };
}
