import type { Store } from '../../../src/ports/store.ts';
import { slight } from './clock.ts';
import { append, type Disk } from './disk.ts';
import type { Machine } from './machine.ts';

/** The store as one process sees it: every call is a step, and a dead process gets no answer. */
export function storeOf(disk: Disk, machine: Machine): Store {
  const { world, inner } = disk;

  function later<T>(label: string, get: () => Promise<T>, delay = slight(world)): Promise<T> {
    return new Promise((resolve, reject) => {
      world.plan(machine, label, delay, () => void get().then(resolve, reject));
    });
  }

  return {
    ...inner,
    load: (put, heartbeat) => later('load', () => inner.load(put, heartbeat)),
    append: (group) => append(disk, machine, group),
    recall(keys) {
      const isSlow = world.random.chance(disk.faults.slowRecall);
      const delay = isSlow ? world.random.between(500, 5_000) : slight(world);
      return later('recall', () => inner.recall(keys), delay);
    },
    head: () => later('head', () => inner.head()),
    heartbeats: () => later('heartbeats', () => inner.heartbeats()),
    events: (query) => later('events', () => inner.events(query)),
    index: (change) => later('index', () => inner.index(change)),
    indexedTo: () => later('indexedTo', () => inner.indexedTo()),
    sweep: (before) => later('sweep', () => inner.sweep(before)),
  };
}
