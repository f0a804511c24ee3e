import type { Variant } from '../variant.ts';

const WRITER = 'src/board/writer.ts';
const WAITERS = 'src/board/waiters.ts';

/** Mistakes in how workers wait. */
export const WAITING: readonly Variant[] = [
  {
    name: 'lost-wake-up',
    about: 'a task that becomes claimable is not given to a waiting worker',
    scenario: 'polls',
    seeds: 50,
    patches: [{ file: WRITER, text: 'this.waiters.match(group);', instead: '' }],
  },
  {
    name: 'waits-after-the-group',
    about:
      'a worker starts waiting only after its group and misses tasks that the group made claimable',
    scenario: 'polls',
    seeds: 500,
    patches: [
      {
        file: WRITER,
        text: 'this.waiters.add(waiter);',
        instead: 'queueMicrotask(() => this.waiters.add(waiter));',
      },
    ],
  },
  {
    name: 'one-poll-of-many',
    about: 'only the older of two polls of a worker returns its claim',
    scenario: 'network',
    seeds: 50,
    patches: [
      {
        file: WAITERS,
        text: 'if (waiter.worker === worker.id) this.#matched.push({ waiter, claimed });',
        instead:
          'if (waiter.worker !== worker.id) continue;\n      this.#matched.push({ waiter, claimed });\n      return;',
      },
    ],
  },
  {
    name: 'specialists-first-only',
    about:
      'a worker that yielded to a better match is not checked again once that worker is served',
    scenario: 'labels',
    seeds: 1_500,
    patches: [
      {
        file: WAITERS,
        text: 'while (served > 0 && this.#board.requestedLabels.size > 0);',
        instead: 'while (served < 0);',
      },
    ],
  },
  {
    name: 'undo-forgets-the-line',
    about: 'a worker that started waiting in a failed commit waits twice',
    scenario: 'refused-commits',
    seeds: 400,
    patches: [
      {
        file: WAITERS,
        text: 'for (const waiter of this.#joined) this.remove(waiter);',
        instead: '',
      },
    ],
  },
];
