import type { Leadership } from '../../../src/ports/leadership.ts';
import { slight } from './clock.ts';
import type { Disk } from './disk.ts';
import type { Machine } from './machine.ts';

const POLL = 10_000;

/** Leadership by the head row of the shared disk. */
export function leadershipOf(disk: Disk, machine: Machine): Leadership {
  const { head } = disk;
  const at = <T>(label: string, act: () => Promise<T>) => atTheDisk(disk, machine, label, act);

  function move(change: { readonly url: string }): void {
    Object.assign(head, { epoch: head.epoch + 1, heartbeat: head.heartbeat + 1, ...change });
    for (const watcher of disk.watchers) watcher();
  }

  return {
    look: () => at('look', async () => ({ ...head, seq: (await disk.inner.head()).seq })),
    takeOver: (seen, url) =>
      at('take over', async () => {
        if (head.epoch !== seen.epoch || head.heartbeat !== seen.heartbeat) return undefined;
        move({ url });
        return head.epoch;
      }),
    heartbeat: (epoch) =>
      at('heartbeat', async () => {
        if (head.epoch !== epoch) return false;
        head.heartbeat += 1;
        return true;
      }),
    stepDown: (epoch) =>
      at('step down', async () => {
        if (head.epoch === epoch) move({ url: '' });
      }),
    onMove: (wake) => watch(disk, machine, wake),
  };
}

/** The disk checks and changes the row in one step; the response may come much later. */
function atTheDisk<T>(
  disk: Disk,
  machine: Machine,
  label: string,
  act: () => Promise<T>,
): Promise<T> {
  const { world } = disk;
  return new Promise((resolve, reject) => {
    world.plan(disk.machine, label, onTheWay(disk), () => {
      const delay = onTheWay(disk);
      const tell = (give: () => void) => void world.plan(machine, `${label} told`, delay, give);
      act().then(
        (value) => tell(() => resolve(value)),
        (fault: Error) => tell(() => reject(fault)),
      );
    });
  });
}

/** A connection that breaks is opened again, which takes a while on the way there or back. */
function onTheWay({ world, faults }: Disk): number {
  return world.random.chance(faults.lostReply) ? world.random.between(2_000, 8_000) : slight(world);
}

/** The node is woken by some moves of the log, and now and then without reason. */
function watch(disk: Disk, machine: Machine, wake: () => void): { stop(): void } {
  const { world } = disk;
  let isOver = false;
  function call(): void {
    if (!isOver) wake();
  }
  function listen(): void {
    if (!machine.isAlive) disk.watchers.delete(listen);
    else if (world.random.chance(0.5)) world.plan(machine, 'woken', slight(world), call);
  }
  function poll(): void {
    if (isOver || !machine.isAlive) return;
    call();
    world.plan(machine, 'poll', POLL, poll);
  }
  disk.watchers.add(listen);
  world.plan(machine, 'poll', POLL, poll);
  return {
    stop() {
      isOver = true;
      disk.watchers.delete(listen);
    },
  };
}
