import type { Leadership } from '../../../src/ports/leadership.ts';
import { slight } from './clock.ts';
import type { Disk } from './disk.ts';
import type { Machine } from './machine.ts';

const POLL = 10_000;

/** Who leads, by the head row of the shared disk. Asking and being answered are two steps. */
export function leadershipOf(disk: Disk, machine: Machine): Leadership {
  const { world, head } = disk;

  /** A connection that breaks is opened again, which takes a while on the way there or back. */
  function onTheWay(): number {
    const isBroken = world.random.chance(disk.faults.lostReply);
    return isBroken ? world.random.between(2_000, 8_000) : slight(world);
  }

  /** The row is looked at and changed in one step at the disk; the word of it may come much later. */
  function atTheDisk<T>(label: string, act: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      world.plan(disk.machine, label, onTheWay(), () => {
        const delay = onTheWay();
        const tell = (give: () => void) => void world.plan(machine, `${label} told`, delay, give);
        act().then(
          (value) => tell(() => resolve(value)),
          (fault: Error) => tell(() => reject(fault)),
        );
      });
    });
  }

  function moved(): void {
    for (const watcher of disk.watchers) watcher();
  }

  return {
    look: () => atTheDisk('look', async () => ({ ...head, seq: (await disk.inner.head()).seq })),
    takeOver: (seen, url) =>
      atTheDisk('take over', async () => {
        if (head.epoch !== seen.epoch || head.beat !== seen.beat) return undefined;
        Object.assign(head, { epoch: head.epoch + 1, beat: head.beat + 1, url });
        moved();
        return head.epoch;
      }),
    beat: (epoch) =>
      atTheDisk('beat', async () => {
        if (head.epoch !== epoch) return false;
        head.beat += 1;
        return true;
      }),
    stepDown: (epoch) =>
      atTheDisk('step down', async () => {
        if (head.epoch !== epoch) return;
        Object.assign(head, { epoch: epoch + 1, beat: head.beat + 1, url: '' });
        moved();
      }),
    onMove(wake) {
      let isOver = false;
      const listen = () => {
        if (!machine.isAlive) disk.watchers.delete(listen);
        else if (world.random.chance(0.5)) world.plan(machine, 'woken', slight(world), call);
      };
      const call = () => {
        if (!isOver) wake();
      };
      const poll = () => {
        if (isOver || !machine.isAlive) return;
        call();
        world.plan(machine, 'poll', POLL, poll);
      };
      disk.watchers.add(listen);
      world.plan(machine, 'poll', POLL, poll);
      return {
        stop() {
          isOver = true;
          disk.watchers.delete(listen);
        },
      };
    },
  };
}
