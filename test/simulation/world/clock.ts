import type { Duration, Instant } from '../../../src/domain/ids.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** A Wednesday noon, so a week begins only when a scenario makes it. */
export const START: Instant = Date.UTC(2026, 3, 15, 12);

/** A wall clock that several starts of one node share and that faults may set. */
export interface Wall {
  offset: Duration;
}

/** The clock of one process: its wall clock jumps when it is set, its monotonic one never does. */
export function clockOf(world: World, machine: Machine, wall: Wall): Clock {
  // A real one counts parts of milliseconds too.
  const booted = world.random.below(1_000_000) + 0.375 - world.now;
  return {
    now: () => START + world.now + wall.offset,
    monotonic: () => booted + world.now,
    yieldToEventLoop: () =>
      new Promise((resolve) => void world.plan(machine, 'turn', slight(world), resolve)),
    after(delay, call) {
      const step = world.plan(machine, 'timer', Math.max(delay, 1), call);
      return {
        cancel() {
          step.isOff = true;
        },
      };
    },
  };
}

/** Mostly nothing, now and then a few milliseconds. */
export function slight({ random }: World): Duration {
  return random.chance(0.7) ? 0 : random.between(1, 20);
}
