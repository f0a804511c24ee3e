import type { World } from './world.ts';

/**
 * Does step after step until it is over or something was found wrong. Between two steps every
 * promise that can settle has settled: the queue of microtasks is emptied before each next tick.
 */
export function drive(world: World, isOver: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    function turn(): void {
      try {
        if (isOver() || world.violation !== undefined || !world.step()) {
          resolve();
          return;
        }
      } catch (fault) {
        reject(fault);
        return;
      }
      queueMicrotask(soon);
    }
    function soon(): void {
      process.nextTick(turn);
    }
    process.nextTick(turn);
  });
}
